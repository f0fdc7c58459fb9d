import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../../scripts/terminal.ts'
import { createFolder } from '../support/cleanup.ts'
import { adaptRecipe, runProgram } from './programs.ts'

it('recipe: systemd accepts the unit and rates its exposure 2.0 or better', () => {
  const folder = createFolder()
  const unit = join(folder, 'staffbook.service')
  const node = adaptRecipe('staffbook.service', [
    ['/usr/bin/node', process.execPath],
    ['/opt/staffbook/docs/operations.md', join(root, 'docs/operations.md')],
  ])
  writeFileSync(unit, node)
  expect(runProgram('systemd-analyze', ['verify', unit])).toEqual({ status: 0, output: '' })
  const { output } = runProgram('systemd-analyze', ['security', '--offline=true', '--no-pager', unit])
  expect(Number(/Overall exposure level .*: ([\d.]+)/.exec(output)?.[1])).toBeLessThanOrEqual(2)
})

it.each(['compose.yaml', 'compose.postgres.yaml'])('recipe: docker-compose accepts %s', (name) => {
  const folder = createFolder()
  // Debian's version does not know the name of a project.
  writeFileSync(join(folder, name), adaptRecipe(name, [[/^name: .*\n/m, '']]))
  const settings = { SITE: 'staff.example.com', POSTGRES_PASSWORD: 'secret' }
  const check = (env: Record<string, string>) =>
    runProgram('docker-compose', ['-f', join(folder, name), 'config', '--quiet'], env)
  expect(check(settings)).toEqual({ status: 0, output: '' })
  expect(check({}).output).toContain('Set SITE to the host name')
})
