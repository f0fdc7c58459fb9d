import { existsSync } from 'node:fs'
import { buildPage } from '../../scripts/build.ts'
import { runTool, say } from '../../scripts/terminal.ts'

const firefox = process.env.FIREFOX_PATH ?? '/usr/bin/firefox-esr'
if (!existsSync(firefox)) {
  say(`there is no Firefox at ${firefox}; install Debian's firefox-esr, or name another in FIREFOX_PATH.`)
  process.exit(1)
}
await buildPage()
process.exitCode = await runTool('@playwright/test/cli.js', [
  'test',
  '--config',
  'tests/firefox/playwright.config.ts',
])
