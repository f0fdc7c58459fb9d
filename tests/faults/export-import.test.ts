import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { type EmployeeFields, fieldNames } from '../../contract/employees.ts'
import { run } from '../../scripts/terminal.ts'
import { createUnusableHash } from '../../server/auth/password-hash.ts'
import { createFolder } from '../support/cleanup.ts'
import { openEmergencyFile } from '../support/emergency-file.ts'
import { minimalEnvironment } from '../support/environment.ts'
import { type CommandOptions, cliPath, runCommandHere } from '../support/faults/command-line.ts'
import { startUnlimitedServer } from '../support/faults/unlimited-server.ts'
import { createTestClient, password, signInAt, type TestClient } from '../support/http-client.ts'
import { isNightly } from '../support/nightly.ts'
import { grace, makeEmployees, record, renamed } from '../support/people.ts'
import { timeouts } from '../support/timeouts.ts'

const importSize = isNightly ? 20_000 : 5_000
const edgeCaseEmployee = renamed(' Ada "日本" 👩‍💻\n', record({ password: ' =1+1\t\u0000 ' }))

describe('export and import', { timeout: timeouts.longTestMs }, () => {
  let home: string
  let file: string

  beforeEach(() => {
    home = createFolder()
    file = join(home, 'register.json')
  })

  const dataFolder = (name: string) => join(home, name)
  const runOn = (name: string, args: string[], typed: CommandOptions = {}) =>
    runCommandHere(['--data', dataFolder(name), ...args], typed)

  /** Runs a task with a signed-in client of a server on the named data folder. */
  async function withServer<T>(
    name: string,
    task: (client: TestClient, url: string) => Promise<T>,
    key = '',
  ): Promise<T> {
    const server = await startUnlimitedServer({ DATA_DIR: dataFolder(name), RECORDS_KEY: key })
    const result = await task(await server.signIn(), server.url)
    await server.kill('SIGTERM')
    return result
  }

  const listDocuments = (name: string, key = '') =>
    withServer(name, async (client) => await client.documents(), key)

  /** Creates edge cases: odd text, a restored record, a removed one, and records from a batch. */
  function fillStorage(name: string, key = '') {
    const fill = async (client: TestClient, url: string) => {
      await createTestClient(url).signUp('Mira@Example.com')
      for (const fields of [edgeCaseEmployee, grace, edgeCaseEmployee, grace]) await client.add(fields)
      const [, second, third] = await client.documents()
      await client.remove(second.id)
      await client.restore(second.id, grace)
      await client.remove(third.id)
      await client.writeBatch({ add: makeEmployees(700, 'the same') })
      return await client.documents()
    }
    return withServer(name, fill, key)
  }

  it('keeps ids, fields, order and passwords of accounts; repeated, it restores removed records, and skips and names changed ones', async () => {
    const documents = await fillStorage('old')
    expect(documents).toHaveLength(703)
    const exported = await runOn('old', ['--json', 'export', file])
    expect(exported.json()).toEqual({ file, records: 703, accounts: 2, notValid: [] })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(file, 'utf8')).books).toEqual(documents)

    const imported = await runOn('new', ['--json', 'import', file])
    expect(imported.failure).toBe('')
    expect(imported.json()).toEqual({
      records: { brought: 703, there: 0, kept: [] },
      accounts: { brought: 2, there: 0, leftOut: [], withoutPassword: [], removed: [] },
    })
    expect(await listDocuments('new')).toEqual(documents)
    await withServer('new', async (_, url) => {
      expect((await createTestClient(url).signIn('mira@example.com')).status).toBe(200)
    })
    const accountsOf = async (name: string) =>
      (await runOn(name, ['--json', 'account', 'list']))
        .json()
        .map(({ sessions: _, ...account }: object & { sessions: number }) => account)
    expect(await accountsOf('new')).toEqual(await accountsOf('old'))

    const again = await runOn('new', ['--json', 'import', file])
    expect(again.json()).toMatchObject({
      records: { brought: 0, there: 703, kept: [] },
      accounts: { brought: 0, there: 2 },
    })
    const [first, second] = documents
    await withServer('new', async (client) => {
      await client.remove(first.id)
      await client.update(second.id, edgeCaseEmployee)
      await client.add(grace)
    })
    await runOn('new', ['account', 'remove', 'mira@example.com'])
    const third = await runOn('new', ['import', file])
    expect(third.out).toBe('')
    expect(third.failure).toMatch(/^1 .*Records imported: 1; already present: 701\./s)
    expect(third.failure).toContain(`Present with other fields and not changed: ${second.id}.`)
    const now = await listDocuments('new')
    expect(now.slice(0, 703)).toEqual([first, { id: second.id, ...edgeCaseEmployee }, ...documents.slice(2)])
    expect(now).toHaveLength(704)
    expect(third.failure).toContain(
      'Accounts that had been removed, and stay so without --with-removed: Mira@Example.com.',
    )
    expect(await accountsOf('new')).toHaveLength(1)
    const fourth = await runOn('new', ['--json', 'import', file, '--with-removed'])
    expect(fourth.json().accounts).toMatchObject({ brought: 1, removed: ['Mira@Example.com'] })
    expect(await accountsOf('new')).toEqual(await accountsOf('old'))
  })

  it('with RECORDS_KEY the file is plain text and the database encrypted', async () => {
    const [one, two] = ['11'.repeat(32), '22'.repeat(32)]
    const documents = await fillStorage('old', one)
    expect((await runOn('old', ['export', file])).failure).toMatch(/^1 .*is encrypted\. Set RECORDS_KEY/)
    expect(existsSync(file)).toBe(false)
    expect((await runOn('old', ['export', file], { environment: { RECORDS_KEY: one } })).code).toBe(0)
    expect((await runOn('new', ['import', file], { environment: { RECORDS_KEY: two } })).code).toBe(0)
    expect(readFileSync(join(dataFolder('new'), 'staffbook.sqlite')).includes('nanoseconds')).toBe(false)
    expect(await listDocuments('new', two)).toEqual(documents)
  })

  it('an export of a running server is consistent; an import into one is rejected', async () => {
    await fillStorage('old')
    const { server, client } = await signInAt(startUnlimitedServer({ DATA_DIR: dataFolder('old') }))
    const before = (await client.documents()).length
    let isDone = false
    let pairs = 0
    const writing = (async () => {
      for (; !isDone; pairs += 1) await client.writeBatch({ add: [edgeCaseEmployee, grace] }, `pair-${pairs}`)
    })()
    await expect.poll(() => pairs).toBeGreaterThan(0)
    const { records } = (await runOn('old', ['--json', 'export', file])).json()
    isDone = true
    await writing
    const { documents } = await server.connect(client.cookie).book()
    const { books } = JSON.parse(readFileSync(file, 'utf8'))
    expect(books).toEqual(documents.slice(0, records))
    expect((records - before) % 2).toBe(0)

    expect((await runOn('old', ['import', file])).failure).toMatch(/^1 .*is in use by another Staffbook/)
  })

  it('a killed import has imported all or nothing, and can be repeated', async () => {
    const books = makeEmployees(importSize, 'the same').map((fields, i) => ({ id: `person-${i}`, ...fields }))
    const accounts = Array.from({ length: 50 }, (_, i) => ({
      uid: `uid-${i}`,
      email: `person-${i}@example.com`,
      createdAt: new Date().toISOString(),
      passwordHash: createUnusableHash(),
    }))
    writeFileSync(file, JSON.stringify({ books, accounts }))
    for (const logBytes of isNightly ? [1, 200_000, 1_000_000] : [1, 200_000]) {
      const name = `killed-${logBytes}`
      const child = spawn(process.execPath, [cliPath, '--data', dataFolder(name), 'import', file], {
        env: minimalEnvironment(),
        stdio: 'ignore',
      })
      const exited = once(child, 'exit')
      const log = join(dataFolder(name), 'staffbook.sqlite-wal')
      const hasGrown = () => (statSync(log, { throwIfNoEntry: false })?.size ?? 0) >= logBytes
      await expect.poll(() => hasGrown() || child.exitCode !== null, { interval: 1 }).toBe(true)
      child.kill('SIGKILL')
      await exited
      const found = (await runOn(name, ['--json', 'check'])).json()
      expect(found.problems).toEqual([])
      expect([`0 0`, `${importSize} 50`]).toContain(`${found.records} ${found.accounts}`)
      await runOn(name, ['import', file])
      const repeated = (await runOn(name, ['--json', 'check'])).json()
      expect(repeated).toMatchObject({ records: importSize, accounts: 50 })
    }
  })

  it('an export overwrites a file only with --overwrite', async () => {
    await runOn('old', ['account', 'add', 'ada@example.com'], { input: password })
    writeFileSync(file, 'mine')
    chmodSync(file, 0o644)
    expect((await runOn('old', ['export', file])).failure).toBe(
      `1 staffbook: ${file} already exists. Choose another name, or pass --overwrite.`,
    )
    expect(readFileSync(file, 'utf8')).toBe('mine')
    const { out } = await runOn('old', ['export', file, '--overwrite'])
    expect(out).toContain('contains the passwords of the records as plain text')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await runOn('old', ['backup', file, '--overwrite'])).code).toBe(2)
  })

  it('an emergency file of a running server has all records, opens with its code only, and is logged', async () => {
    // It contains the viewer of the built page.
    expect(await run(process.execPath, ['scripts/build.ts'])).toBe(0)
    const documents = await fillStorage('old')
    const target = join(home, 'emergency.html')
    const newCode = async () => (await runOn('old', ['code', 'new'])).out
    const [code, other] = [await newCode(), await newCode()]
    const write = (input: string, ...options: string[]) =>
      runOn('old', ['--json', 'emergency', target, ...options], { input })
    expect((await write(`${code.slice(0, -1)}!`)).failure).toMatch(/^1 .*not a code/)
    expect(existsSync(target)).toBe(false)
    const server = await startUnlimitedServer({ DATA_DIR: dataFolder('old') })
    expect((await write(`${code.toLowerCase()}\n`)).json()).toEqual({ file: target, records: 703 })
    await server.kill('SIGTERM')
    expect(statSync(target).mode & 0o777).toBe(0o600)
    const html = readFileSync(target, 'utf8')
    const rows = documents.map((document: EmployeeFields) => fieldNames.map((name) => document[name]))
    expect(openEmergencyFile(html, code)?.rows).toEqual(rows)
    expect(openEmergencyFile(html, other)).toBeNull()
    expect((await write(code)).failure).toMatch(/already exists/)
    expect((await write(code, '--overwrite')).code).toBe(0)
    expect(readFileSync(target, 'utf8')).not.toBe(html)
    const { out } = await runOn('old', ['activity'])
    const exports = out.split('\n').filter((line) => line.includes('"emergency"'))
    expect(exports.map((line) => JSON.parse(line))).toEqual(
      Array(2).fill({ time: expect.any(String), by: 'operator', kind: 'emergency', count: 703 }),
    )
    expect(out).not.toContain(code)
  })

  it('an invalid file changes nothing and creates no database', async () => {
    writeFileSync(file, JSON.stringify({ books: [{ id: 'a', ...grace, email: 'nobody' }], accounts: [] }))
    expect((await runOn('new', ['import', file])).failure).toMatch(/^1 .*Invalid: books\/0\/email\./s)
    expect(existsSync(dataFolder('new'))).toBe(false)
  })

  it('leaves out an account whose email another account has, and names accounts without a password', async () => {
    const createdAt = new Date(1_700_000_000_000).toISOString()
    const accounts = [
      { uid: 'mira', email: 'mira@example.com', createdAt, passwordHash: createUnusableHash() },
      { uid: 'other', email: 'ADA@example.com', createdAt, passwordHash: createUnusableHash() },
    ]
    writeFileSync(file, JSON.stringify({ books: [], accounts }))
    await runOn('new', ['account', 'add', 'ada@example.com'], { input: password })
    const imported = await runOn('new', ['--json', 'import', file])
    expect(imported.code).toBe(1)
    expect(imported.json().accounts).toEqual({
      brought: 1,
      there: 0,
      leftOut: [{ account: 'ADA@example.com', why: 'another account has its email' }],
      removed: [],
      withoutPassword: ['mira@example.com'],
    })
    const canSignIn = () =>
      withServer('new', async (_, url) => (await createTestClient(url).signIn('mira@example.com')).status)
    expect(await canSignIn()).toBe(401)
    expect((await runOn('new', ['account', 'list'])).out).toMatch(/mira@example.com {2}\(no password yet\)/)
    await runOn('new', ['export', file, '--overwrite'])
    expect(JSON.parse(readFileSync(file, 'utf8')).accounts).toContainEqual(accounts[0])
    await runOn('new', ['account', 'reset-password', 'mira@example.com'], { input: password })
    expect(await canSignIn()).toBe(200)
  })
})
