import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { canInstall, installFromDebian } from './debian.ts'
import { root, say } from './terminal.ts'

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

/** The path of a Chromium of this machine: `CHROMIUM_PATH`, a usual place, Playwright's own, or undefined. */
export function findChromium(): string | undefined {
  // Who names one means it: whether it works is seen when it is used.
  return process.env.CHROMIUM_PATH || [...places, chromium.executablePath()].find(works)
}

/**
 * Finds a Chromium, or installs one: from Debian's packages where we are root, else Playwright's own. Where neither
 * works it says what to do, and answers undefined.
 */
export function provideChromium(): string | undefined {
  const found = findChromium() ?? fromDebian() ?? fromPlaywright()
  if (!found) {
    say('no Chromium could be installed for the browser tests: install one, and name it with CHROMIUM_PATH.')
  }
  return found
}

/** Ubuntu's `chromium` is a program that says to install a snap, and does nothing else. */
function works(path: string): boolean {
  if (!existsSync(path)) return false
  // On Windows a browser that is asked for its version opens a window instead.
  return process.platform === 'win32' || spawnSync(path, ['--version'], { timeout: 10_000 }).status === 0
}

function fromDebian(): string | undefined {
  if (!canInstall() || /^ID=ubuntu$/m.test(readFileSync('/etc/os-release', 'utf8'))) return undefined
  installFromDebian('Chromium, for the browser tests,', ['chromium', 'fonts-liberation'])
  return findChromium()
}

function fromPlaywright(): string | undefined {
  say("downloading Playwright's Chromium for the browser tests …")
  // The libraries it needs come from the system's packages; where those can't be had, they may be there already.
  const ways = canInstall() ? [['--with-deps'], []] : [[]]
  const install = ['node_modules/@playwright/test/cli.js', 'install', 'chromium']
  ways.some(
    (way) => spawnSync(process.execPath, [...install, ...way], { cwd: root, stdio: 'inherit' }).status === 0,
  )
  return findChromium()
}
