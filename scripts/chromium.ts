import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { canInstallPackages, installPackages } from './system-packages.ts'
import { printStatus, root } from './terminal.ts'

const candidatePaths = [
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
  return process.env.CHROMIUM_PATH || [...candidatePaths, chromium.executablePath()].find(isUsable)
}

/**
 * Finds a Chromium, or installs one: from Debian's packages where we are root, else Playwright's own. Where neither
 * works it says what to do, and answers undefined.
 */
export function ensureChromium(): string | undefined {
  const found = findChromium() ?? installFromPackages() ?? installFromPlaywright()
  if (!found) {
    printStatus(
      'no Chromium could be installed for the browser tests: install one, and name it with CHROMIUM_PATH.',
    )
  }
  return found
}

/** Ubuntu's `chromium` is a program that says to install a snap, and does nothing else. */
function isUsable(path: string): boolean {
  if (!existsSync(path)) return false
  // On Windows a browser that is asked for its version opens a window instead.
  return process.platform === 'win32' || spawnSync(path, ['--version'], { timeout: 10_000 }).status === 0
}

function installFromPackages(): string | undefined {
  if (!canInstallPackages() || /^ID=ubuntu$/m.test(readFileSync('/etc/os-release', 'utf8'))) return undefined
  installPackages('Chromium, for the browser tests,', ['chromium', 'fonts-liberation'])
  return findChromium()
}

function installFromPlaywright(): string | undefined {
  printStatus("downloading Playwright's Chromium for the browser tests …")
  // The libraries it needs come from the system's packages; where those can't be had, they may be there already.
  const optionSets = canInstallPackages() ? [['--with-deps'], []] : [[]]
  const install = ['node_modules/@playwright/test/cli.js', 'install', 'chromium']
  optionSets.some(
    (options) =>
      spawnSync(process.execPath, [...install, ...options], { cwd: root, stdio: 'inherit' }).status === 0,
  )
  return findChromium()
}
