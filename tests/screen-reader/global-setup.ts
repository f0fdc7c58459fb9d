import { spawnSync } from 'node:child_process'
import { buildPage } from '../../scripts/build.ts'
import { installPackages } from '../../scripts/system-packages.ts'

/** The programs of these tests, with their packages in Debian. */
const programs = {
  chromium: 'chromium',
  'dbus-daemon': 'dbus-daemon',
  orca: 'orca',
  xdotool: 'xdotool',
  Xvfb: 'xvfb',
}

/** Installs what is missing, only where that is allowed. Tests of a missing program fail. */
export async function setup(): Promise<void> {
  const isInstalled = (program: string) => spawnSync(`command -v ${program}`, { shell: true }).status === 0
  const missing = Object.entries(programs).flatMap(([program, name]) => (isInstalled(program) ? [] : [name]))
  if (missing.length > 0) installPackages('A program of the tests with a screen reader', missing)
  await buildPage()
}
