import { runPlaywright, runVitest, sumUp } from '../../scripts/runners.ts'
import { printStatus } from '../../scripts/terminal.ts'

const configArgs = (name: string) => ['--config', `tests/firebase/${name}.config.ts`]

/** Of the suites, what needs the Auth emulator alone. */
const accountTestsPattern = '^identity service: Firebase, (?!.* 7 sign out)|refuses a new account'

if (process.env.WITHOUT_FIRESTORE_EMULATOR === '1') {
  printStatus('Firebase without Firestore: the accounts against the Auth emulator …')
  const accounts = await runVitest(configArgs('vitest'), accountTestsPattern)
  printStatus(
    'WITHOUT_FIRESTORE_EMULATOR=1: records, rules and the page in the browser were NOT tested on Firebase.',
  )
  sumUp([accounts])
} else {
  printStatus('Firebase: the contract suites, the adapter, the rules …')
  const adapter = await runVitest(configArgs('vitest'))
  printStatus('Firebase: the page in Chromium …')
  const browser = await runPlaywright(configArgs('playwright'))
  sumUp([adapter, browser])
}
