import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { printStatus } from './terminal.ts'

/**
 * Whether this process may install packages of the system: as root in CI (`CI` is set), or anywhere with
 * `INSTALL_SYSTEM_PACKAGES=yes`.
 */
export function isInstallAllowed(environment = process.env, uid = process.getuid?.()): boolean {
  return environment.INSTALL_SYSTEM_PACKAGES === 'yes' || (Boolean(environment.CI) && uid === 0)
}

/**
 * Installs packages with apt-get if that is allowed, and otherwise prints the command. The caller must check whether the
 * program is installed afterwards.
 */
export function installPackages(purpose: string, packages: string[]): void {
  if (!hasAptGet()) {
    printStatus(`${purpose} is missing. Install it with the package manager of this system.`)
  } else if (!isInstallAllowed()) {
    printStatus(`${purpose} is missing. Install it: sudo apt-get install -y ${packages.join(' ')}`)
  } else {
    printStatus(`${purpose} is missing; running apt-get install -y ${packages.join(' ')} …`)
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    spawnSync('apt-get', ['update'], { stdio: 'inherit', env })
    spawnSync('apt-get', ['install', '-y', ...packages], { stdio: 'inherit', env })
  }
}

export const hasAptGet = () => spawnSync('apt-get', ['--version']).status === 0

/** Whether the faulty disk (tests/support/faults/disk.c) can be built: on Linux with a C compiler. */
export function ensureCompiler(): boolean {
  if (process.platform !== 'linux') return false
  const isInstalled = () => spawnSync('cc', ['--version']).status === 0
  if (!isInstalled()) installPackages('The C compiler for the disk fault tests', ['gcc', 'libc6-dev'])
  return isInstalled()
}

/** Installs Firefox and WebKit if that is allowed; without them their tests are not run. */
export function ensureEngines(): void {
  const packages = { 'firefox-esr': 'firefox-esr', WebKitWebDriver: 'webkit2gtk-driver', Xvfb: 'xvfb' }
  const missing = Object.entries(packages).filter(([program]) => !existsSync(`/usr/bin/${program}`))
  if (missing.length > 0 && isInstallAllowed() && hasAptGet())
    installPackages(
      'Firefox or WebKit',
      missing.map(([, name]) => name),
    )
}
