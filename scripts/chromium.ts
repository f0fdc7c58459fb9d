import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { say } from './terminal.ts'

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
]

/** The path of a Chromium of this machine: `CHROMIUM_PATH`, a usual place, or undefined. */
export function findChromium(): string | undefined {
  return [process.env.CHROMIUM_PATH, ...places].find((path) => path && existsSync(path))
}

/** Finds a Chromium, or installs one: from Debian's packages where we are root, else Playwright's own. */
export function provideChromium(): string | undefined {
  const found = findChromium()
  if (found) return found
  say('no Chromium on this machine; installing one for the browser tests …')
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    execFileSync('apt-get', ['update'], { stdio: 'inherit' })
    execFileSync('apt-get', ['install', '-y', 'chromium', 'fonts-liberation'], { stdio: 'inherit' })
    return findChromium()
  }
  execFileSync(process.execPath, ['node_modules/@playwright/test/cli.js', 'install', 'chromium'], {
    stdio: 'inherit',
  })
  return undefined
}
