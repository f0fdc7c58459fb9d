import { runPlaywright, runVitest, sumUp } from '../../scripts/runners.ts'
import { say } from '../../scripts/terminal.ts'

const config = (name: string) => ['--config', `tests/firebase/${name}.config.ts`]

/** Of the suites, what needs the Auth emulator alone. */
const accountsAlone = '^identity service: Firebase, (?!.* 7 sign out)|refuses a new account'

if (process.env.WITHOUT_FIRESTORE_EMULATOR === '1') {
  say('Firebase without Firestore: the accounts against the Auth emulator …')
  const accounts = await runVitest(config('vitest'), accountsAlone)
  say('WITHOUT_FIRESTORE_EMULATOR=1: records, rules and the page in the browser were NOT tested on Firebase.')
  sumUp([accounts])
} else {
  say('Firebase: both suites in Node and in Chromium, the adapter, the rules …')
  const adapter = await runVitest(config('vitest'))
  say('Firebase: the page in Chromium …')
  const browser = await runPlaywright(config('playwright'))
  sumUp([adapter, browser])
}
