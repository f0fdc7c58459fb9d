import { spawnSync } from 'node:child_process'
import { mkdirSync, openSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { openSqlite } from '../../server/storage/sqlite/open.ts'
import { createFolder, listFiles } from '../support/cleanup.ts'
import { minimalEnvironment } from '../support/environment.ts'
import { type CommandOptions, cliPath, runCommandHere } from '../support/faults/command-line.ts'
import { password } from '../support/http-client.ts'

describe('a command of the operator', () => {
  let folder: string
  let home: string

  beforeEach(async () => {
    home = createFolder()
    folder = join(home, 'data')
    await (await openSqlite({ dataDir: folder })).close()
  })

  const staffbook = (args: string[], typed?: CommandOptions) =>
    runCommandHere(['--data', folder, ...args], typed)

  /** Runs a command in a process that ends by `signal` when it is about to give a file its name. */
  function interrupt(args: string[], signal: NodeJS.Signals, input: string) {
    const code = `import fs from 'node:fs'
      import { syncBuiltinESMExports } from 'node:module'
      fs.renameSync = () => process.kill(process.pid, '${signal}')
      syncBuiltinESMExports()`
    const module = `data:text/javascript,${encodeURIComponent(code)}`
    const env = { ...minimalEnvironment(), TMPDIR: join(home, 'temporary') }
    const command = ['--import', module, cliPath, '--data', folder, ...args]
    return spawnSync(process.execPath, command, { env, input }).signal
  }

  it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
    'that %s interrupts leaves no copy of the records behind',
    async (signal) => {
      for (const name of ['temporary', 'target']) mkdirSync(join(home, name))
      const backup = join(home, 'backup.sqlite')
      expect((await staffbook(['backup', backup])).failure).toBe('')
      const target = join(home, 'target', 'file')
      const listCopies = () => listFiles(home).filter((file) => !file.startsWith(folder))
      const before = listCopies()
      const code = (await staffbook(['code', 'new'])).out
      for (const args of [
        ['export', target],
        ['backup', target],
        ['emergency', target],
        ['backup', 'verify', backup],
      ]) {
        expect(interrupt(args, signal, code), args.join(' ')).toBe(signal)
        await expect.poll(listCopies, { message: args.join(' ') }).toEqual(before)
      }
      // The folders go after their files.
      await expect.poll(() => readdirSync(join(home, 'temporary'))).toEqual([])
    },
  )

  it('that writes a file beside another that writes the same one keeps to its own', async () => {
    const target = join(home, 'register.json')
    writeFileSync(`${target}.4711.part`, 'half of another one')
    expect((await staffbook(['export', target])).failure).toBe('')
    expect(listFiles(home)).toContain(`${target}.4711.part`)
  })

  it('says in one line that its output does not fit on the disk', () => {
    const full = openSync('/dev/full', 'w')
    for (const args of [
      ['key', 'new'],
      ['account', 'invite', '--url', 'https://staff.example.com'],
      ['activity'],
    ]) {
      const { status, stderr } = spawnSync(process.execPath, [cliPath, '--data', folder, ...args], {
        env: minimalEnvironment(),
        stdio: ['ignore', full, 'pipe'],
        encoding: 'utf8',
      })
      expect([status, stderr], args.join(' ')).toEqual([
        1,
        expect.stringMatching(/^staffbook: The output could not be written: ENOSPC.* is changed\.\n$/),
      ])
    }
  })

  it('names in one line a path that the file system refuses', async () => {
    const long = join(home, 'x'.repeat(300))
    const commands = [
      ['export'],
      ['emergency'],
      ['backup'],
      ['backup', 'verify'],
      ['restore'],
      ['check'],
      ['import'],
    ]
    const input = (await staffbook(['code', 'new'])).out
    for (const command of commands)
      expect((await staffbook([...command, long], { input })).failure, command.join(' ')).toMatch(
        /^1 staffbook: .*(name too long|does not exist).*$/,
      )
  })

  it('reads and replaces files only, no pipes, devices and links', async () => {
    const pipe = join(home, 'pipe')
    spawnSync('mkfifo', [pipe])
    for (const source of [pipe, '/dev/zero', home])
      for (const command of [['check'], ['restore'], ['backup', 'verify']])
        expect((await staffbook([...command, source])).failure, command.join(' ')).toBe(
          `1 staffbook: ${source} is not a file.`,
        )
    const link = join(home, 'link')
    symlinkSync('/no/such/disk/backup.sqlite', link)
    expect((await staffbook(['backup', link])).failure).toContain('already exists')
  })

  it.each([
    ['in another encoding than UTF-8', Buffer.from('p\xe4ssword of ada', 'latin1'), 'not in UTF-8'],
    ['of several lines', `${password}\n${password}\n`, 'several lines, or control characters'],
    ['with a control character', `${password}\0`, 'several lines, or control characters'],
  ])('security: refuses a password %s, which nobody could type at the sign-in', async (_, input, message) => {
    const added = await staffbook(['account', 'add', 'ada@example.com'], { input })
    expect(added.failure).toMatch(
      new RegExp(`^1 staffbook: Standard input .*${message}.*nothing was changed\\.$`),
    )
    expect((await staffbook(['account', 'list'])).out).toBe('There are no accounts.')
  })
})
