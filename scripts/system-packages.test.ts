import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { createFolder } from '../tests/support/cleanup.ts'
import { minimalEnvironment } from '../tests/support/environment.ts'
import { isInstallAllowed } from './system-packages.ts'

describe('installing packages of the system', () => {
  let folder: string

  beforeEach(() => {
    folder = createFolder()
    // The only apt-get on the PATH of the process under test.
    writeFileSync(
      join(folder, 'apt-get'),
      '#!/bin/sh\n[ "$1" = --version ] || echo "$@" >> "$HOME/calls"\n',
      {
        mode: 0o755,
      },
    )
  })

  function installInChildProcess(environment: Record<string, string>) {
    const module = JSON.stringify(new URL('system-packages.ts', import.meta.url))
    const script = `import { installPackages } from ${module}; installPackages('The compiler', ['gcc', 'libc6-dev'])`
    const env = {
      ...minimalEnvironment(),
      HOME: folder,
      PATH: [folder, dirname(process.execPath), '/bin'].join(delimiter),
      ...environment,
    }
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      env,
      encoding: 'utf8',
    })
    const calls = join(folder, 'calls')
    return { stderr, calls: existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : [] }
  }

  it('prints the command and installs nothing without permission', () => {
    const { stderr, calls } = installInChildProcess({})
    expect(calls).toEqual([])
    expect(stderr).toBe(
      'staffbook: The compiler is missing. Install it: sudo apt-get install -y gcc libc6-dev\n',
    )
  })

  it('installs with INSTALL_SYSTEM_PACKAGES=yes, and prints that it does', () => {
    const { stderr, calls } = installInChildProcess({ INSTALL_SYSTEM_PACKAGES: 'yes' })
    expect(calls).toEqual(['update', 'install -y gcc libc6-dev'])
    expect(stderr).toContain('running apt-get install -y gcc libc6-dev')
  })

  it.each([
    [{}, 0, false],
    [{ CI: 'true' }, 0, true],
    [{ CI: '' }, 0, false],
    [{ CI: 'true' }, 1000, false],
    [{ INSTALL_SYSTEM_PACKAGES: 'yes' }, 1000, true],
    [{ INSTALL_SYSTEM_PACKAGES: 'no' }, 0, false],
  ])('environment %j and user id %s: allowed is %s', (environment, uid, isAllowed) => {
    expect(isInstallAllowed(environment, uid)).toBe(isAllowed)
  })
})
