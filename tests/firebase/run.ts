import { printStatus } from '../../scripts/terminal.ts'
import { printCounts, runPlaywright, runVitest } from '../../scripts/test-runs.ts'

const configArgs = (name: string) => ['--config', `tests/firebase/${name}.config.ts`]

/** The tests that need the Auth emulator only. */
const accountTestsPattern = '^identity service: Firebase, (?!.*(signing out|keeps the session))|sign-up error'

if (process.env.WITHOUT_FIRESTORE_EMULATOR === '1') {
  printStatus('Firebase without Firestore: the accounts against the Auth emulator …')
  const accounts = await runVitest(configArgs('vitest'), accountTestsPattern)
  printStatus(
    'WITHOUT_FIRESTORE_EMULATOR=1: records, rules and the page in the browser were NOT tested on Firebase.',
  )
  printCounts([accounts])
} else {
  printStatus('Firebase: the contract suites, the adapter, the rules …')
  const adapter = await runVitest(configArgs('vitest'))
  printStatus('Firebase: the page in Chromium …')
  const browser = await runPlaywright(configArgs('playwright'))
  printCounts([adapter, browser])
}
