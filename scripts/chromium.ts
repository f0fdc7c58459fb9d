import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { hasAptGet, installPackages, isInstallAllowed } from './system-packages.ts'
import { printStatus, root } from './terminal.ts'

/** Chromium without windows: it takes two thirds of the processor time of the whole browser in headless mode. */
const headlessShell = '/usr/bin/chromium-headless-shell'

/** Arguments that tests start it with: without services of its vendor, and as root in a container. */
export const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const chromiumPaths = [
  headlessShell,
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

/** The path of an installed Chromium: `CHROMIUM_PATH` (not verified), a usual path, or Playwright's own. */
export function findChromium(): string | undefined {
  return process.env.CHROMIUM_PATH || [...chromiumPaths, chromium.executablePath()].find(canRun)
}

/** Ubuntu's `chromium` exists without the snap, and only prints that it has to be installed. */
function canRun(path: string): boolean {
  if (!existsSync(path)) return false
  // On Windows `--version` opens a window instead.
  return process.platform === 'win32' || spawnSync(path, ['--version'], { timeout: 60_000 }).status === 0
}

/**
 * Finds Chromium or installs it: the system's package if that is allowed, or else Playwright's build, which needs no root
 * but works only if its shared libraries are installed. Otherwise prints the command that installs it.
 */
export function ensureChromium(): string | undefined {
  // Ubuntu's package is a snap, which containers cannot run.
  const hasPackage = hasAptGet() && !/^ID=ubuntu$/m.test(readFileSync('/etc/os-release', 'utf8'))
  const canInstall = hasPackage && isInstallAllowed()
  const install = (name: string) =>
    installPackages('Chromium for the browser tests', [name, 'fonts-liberation'])
  if (canInstall && !process.env.CHROMIUM_PATH && !existsSync(headlessShell))
    install('chromium-headless-shell')
  const found = findChromium()
  if (found) return found
  if (!canInstall) downloadChromium()
  const downloaded = findChromium()
  if (downloaded) return downloaded
  if (hasPackage) install('chromium')
  else
    printStatus(
      'Chromium is missing. Install it (npx playwright install --with-deps chromium) or set CHROMIUM_PATH.',
    )
  return findChromium()
}

function downloadChromium() {
  printStatus("downloading Playwright's Chromium for the browser tests …")
  const options = isInstallAllowed() ? ['--with-deps'] : []
  const install = ['node_modules/@playwright/test/cli.js', 'install', 'chromium', ...options]
  spawnSync(process.execPath, install, { cwd: root, stdio: 'inherit' })
}
