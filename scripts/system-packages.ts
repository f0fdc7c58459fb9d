import { spawnSync } from 'node:child_process'
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

/** Test files of `npm run test:all` that need programs of the system, and the packages that contain these. */
const requirements = [
  // It builds tests/support/faults/disk.c.
  { files: ['faults/disk', 'faults/power-cut'], programs: ['cc'], packages: ['gcc', 'libc6-dev'] },
  { files: ['engines/firefox'], programs: ['firefox-esr'], packages: ['firefox-esr'] },
  {
    files: ['engines/webkit'],
    programs: ['WebKitWebDriver', 'Xvfb'],
    packages: ['webkit2gtk-driver', 'xvfb'],
  },
]

/** Installs what the tests need, if that is allowed. Returns the test files that can't run without what is missing. */
export function findImpossibleTests(): string[] {
  const isInstalled = (program: string) => spawnSync(`command -v ${program}`, { shell: true }).status === 0
  const impossible = requirements.filter(({ programs, packages }) => {
    if (process.platform !== 'linux') return true
    if (!programs.every(isInstalled))
      installPackages(`A program for tests (${programs.join(', ')})`, packages)
    return !programs.every(isInstalled)
  })
  return impossible.flatMap(({ files }) => files.map((file) => `tests/${file}.test.ts`))
}
