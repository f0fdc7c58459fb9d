import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { printStatus } from './terminal.ts'

/** Whether packages can be installed here without asking: as root, on Debian or what is made of it. */
export const canInstallPackages = () => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

/** Installs packages of the system's, saying what for. Whether that worked is for the caller to see. */
export function installPackages(purpose: string, packages: string[]): void {
  printStatus(`${purpose} is not on this machine; installing it from the system's packages …`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync('apt-get', ['update'], { stdio: 'inherit', env })
  spawnSync('apt-get', ['install', '-y', ...packages], { stdio: 'inherit', env })
}
