import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { maxBatchSize } from '../../contract/batches.ts'
import { paths } from '../../contract/protocol.ts'
import { findAdded } from '../../server/commands/history.ts'
import {
  createTodaysBackup,
  ensureBackupFolder,
  startDailyBackups,
} from '../../server/process/daily-backups.ts'
import { openSqlite } from '../../server/storage/sqlite/open.ts'
import { accountCommandsTest } from '../contracts/account-commands.ts'
import { account, batchOf } from '../contracts/provide-storage.ts'
import { createFolder, listFiles } from '../support/cleanup.ts'
import { executeSql } from '../support/execute-sql.ts'
import { type CommandOptions, cliPath, runCommand, runCommandHere } from '../support/faults/command-line.ts'
import { startServerProcess } from '../support/faults/server-process.ts'
import { startUnlimitedServer } from '../support/faults/unlimited-server.ts'
import { createWriters } from '../support/faults/writers.ts'
import { password, signInAt } from '../support/http-client.ts'
import { isNightly } from '../support/nightly.ts'
import { makeEmployees, named, renamed } from '../support/people.ts'
import { isTriedToday } from '../support/sample.ts'

// Its texts are in no account, whose email is not encrypted.
const ada = named('Ada Lovelace-Byron', { password: 'analytical/engine' })
/** Tells of what somebody did. A day tries about half of these. */
const report = (title: string, run: () => Promise<void>) => {
  if (isTriedToday(title)) it(title, run)
}

const initialRecordCount = isNightly ? 100_000 : 1_000

describe('the command line', () => {
  let folder: string
  let home: string

  beforeEach(() => {
    home = createFolder()
    folder = join(home, 'data')
  })

  const staffbook = (args: string[], typed?: CommandOptions) =>
    runCommandHere(['--data', folder, ...args], typed)
  const listLeaver = async () => (await staffbook(['--json', 'leaver', 'bob@example.com'])).json()

  report('finds hundreds of thousands of records that an account has added', async () => {
    const { accounts, employees, history, close } = await openSqlite({ dataDir: folder })
    await accounts.add(account('bob', 'bob@example.com'))
    for (const part of ['a', 'b']) {
      const add = Array.from({ length: maxBatchSize }, (_, i) => ({ id: `${part}${i}`, ...ada }))
      await employees.writeBatch({ ...batchOf(add), by: 'bob' })
    }
    expect((await findAdded(history, 'bob@example.com', 0)).ids).toHaveLength(2 * maxBatchSize)
    await close()
  })

  report(
    'lists what an account has added since a time, and deletes it so that it can be restored',
    async () => {
      const server = await startServerProcess({ DATA_DIR: folder })
      const [ann, bob] = [await server.signIn('ann@example.com'), await server.signIn('bob@example.com')]
      const early = (await bob.add(ada)).body.id
      const since = new Date(Date.now() + 1).toISOString()
      await expect.poll(() => new Date().toISOString() > since).toBe(true)
      const other = (await ann.add(ada)).body.id
      const removed = (await bob.add(ada)).body.id
      await ann.remove(removed)
      const { ids } = (await bob.writeBatch({ add: makeEmployees(3) })).body
      const changed = (await bob.add(ada)).body.id
      await ann.update(changed, renamed('Changed'))
      const command = ['--json', 'added', 'Bob@example.com', '--since', since]
      expect((await staffbook(command)).json()).toMatchObject({ ids: [...ids, changed], unnamed: 0 })
      expect((await staffbook([...command, '--remove'])).code).toBe(1)
      await server.kill('SIGTERM')
      expect((await staffbook([...command, '--remove'])).json()).toMatchObject({ removed: [...ids, changed] })
      expect((await staffbook(command)).json()).toMatchObject({ ids: [] })
      expect(await staffbook(['deleted', 'restore', '--since', since])).toMatchObject({ code: 0 })
      const again = await startServerProcess({ DATA_DIR: folder })
      const { documents } = await again.connect(ann.cookie).book()
      expect(documents.map(({ id }) => id)).toEqual([early, other, removed, ...ids, changed])
      for (const args of [
        ['added', 'bob@example.com'],
        ['added', 'bob@example.com', '--since', 'Nov 22'],
        ['account', 'passkeys'],
        ['account', 'invite', ''],
        ['account', 'list', '--data='],
      ])
        expect(await staffbook(args), args.join(' ')).toMatchObject({ code: 2 })
    },
  )

  report('prints who did what and what a removed account knows, while the server runs', async () => {
    const server = await startServerProcess({ DATA_DIR: folder, RECORDS_KEY: 'ab'.repeat(32) })
    const client = await server.signIn('ann@example.com')
    await server.signIn('bob@example.com')
    const ids = [(await client.add(ada)).body.id, (await client.add(ada)).body.id]
    expect((await staffbook(['leaver', 'Bob@example.com'])).out).toBe(
      ['bob@example.com can still sign in and read every record: 2.', ...ids].join('\n'),
    )
    expect(await staffbook(['account', 'remove', 'bob@example.com'])).toMatchObject({ code: 0 })
    await client.update(ids[0], { ...ada, password: 'new' })
    expect(await listLeaver()).toMatchObject({ email: 'bob@example.com', ids: [ids[1]], canSignIn: false })
    expect((await staffbook(['leaver', 'eve@example.com'])).failure).toBe(
      '1 staffbook: There was no account eve@example.com.',
    )
    const environment = { RECORDS_KEY: 'ab'.repeat(32) }
    expect(await staffbook(['export', join(home, 'all.json')], { environment })).toMatchObject({ code: 0 })
    expect(await staffbook(['backup', join(home, 'backup.db')], { environment })).toMatchObject({ code: 0 })
    await server.kill('SIGTERM')
    await staffbook(['restore', join(home, 'backup.db')], { environment })
    await staffbook(['key', 'change'], { environment })
    expect((await staffbook(['--json', 'clock', 'confirm'])).json()).toMatchObject({ wasDoubted: false })
    const { history, close } = await openSqlite({ dataDir: folder })
    await history.log({ kind: 'doubt-clock' })
    await close()
    expect((await staffbook(['clock', 'confirm'])).out).toMatch(/^The clock is confirmed: it is /)
    const { out } = await staffbook(['activity'])
    const [by, time] = ['ann@example.com', expect.stringMatching(/^\d{4}-.*Z$/)]
    expect(parseLines(out)).toEqual([
      { time, by, kind: 'sign-up' },
      { time, by, kind: 'sign-in-first' },
      { time, by: 'bob@example.com', kind: 'sign-up' },
      { time, by: 'bob@example.com', kind: 'sign-in-first' },
      { time, by, kind: 'add', record: ids[0], revision: 1 },
      { time, by, kind: 'add', record: ids[1], revision: 2 },
      { time, by: 'operator', kind: 'remove-account', account: 'bob@example.com' },
      { time, by, kind: 'change', record: ids[0], revision: 3 },
      { time, by: 'operator', kind: 'export', count: 2 },
      { time, by: 'operator', kind: 'restore-backup' },
      { time, by: 'operator', kind: 'change-key' },
      { time, by: 'server', kind: 'doubt-clock' },
      { time, by: 'operator', kind: 'confirm-clock' },
    ])
    expect(out).not.toContain(ada.password)
    const kindsOf = async (...args: string[]) =>
      parseLines((await staffbook(['activity', ...args])).out).map(({ kind }) => kind)
    expect(await kindsOf('--by', 'BOB@example.com')).toEqual(['sign-up', 'sign-in-first'])
    expect(await kindsOf('--by', 'operator', '--kind', 'files')).toEqual(['export', 'restore-backup'])
    expect(await kindsOf('--by', 'operator')).not.toContain('doubt-clock')
    expect(await kindsOf('--kind', 'records')).toEqual(['add', 'add', 'change'])
    expect((await staffbook(['activity', '--since', '2100-01-01'])).out).toBe('')
    expect((await staffbook(['activity', '--kind', 'all'])).code).toBe(2)
  })

  report('lists what an account reads while it is removed', async () => {
    const { server, client } = await signInAt(startServerProcess({ DATA_DIR: folder }))
    const leaver = await server.signIn('bob@example.com')
    const { id } = (await client.add(ada)).body
    const removal = staffbook(['account', 'remove', 'bob@example.com'])
    let lastRead = ada
    for (let i = 0; ; i++) {
      await client.update(id, { ...ada, password: `password ${i}` })
      const { status, body } = await leaver.list()
      if (status !== 200) break
      lastRead = body.documents[0]
    }
    await removal
    await client.update(id, { ...ada, password: lastRead.password })
    expect(await listLeaver()).toMatchObject({ ids: [id] })
    await client.update(id, { ...ada, password: 'new' })
    expect(await listLeaver()).toMatchObject({ ids: [] })
  })

  accountCommandsTest(() => ({ DATA_DIR: folder }))

  it('disconnects who signs in to an account by single sign-on: that of the email, or else one that was removed', async () => {
    const { accounts, close } = await openSqlite({ dataDir: folder })
    for (const uid of ['first', 'second', 'third']) {
      await accounts.add(account(uid, 'ada@example.com'))
      if (uid !== 'third') await accounts.remove(uid)
    }
    await close()
    const connect = (uid: string) =>
      executeSql(
        join(folder, 'staffbook.sqlite'),
        `INSERT INTO identities VALUES ('i', '${uid}', '${uid}', 1, 1)`,
      )
    const disconnect = (email: string) => staffbook(['account', 'disconnect', email])
    for (const uid of ['first', 'third']) connect(uid)
    for (let i = 0; i < 2; i++)
      expect((await disconnect('ADA@example.com')).out).toBe(
        'ada@example.com was disconnected. Sessions ended: 0.',
      )
    expect((await disconnect('ada@example.com')).err).toMatch(/Nobody signs in to ada@example.com/)
    expect((await disconnect('eve@example.com')).err).toMatch(
      /There is no account eve@example.com, and was none/,
    )
  })

  it('lets the first person in by an invitation, which works with every way to name the address of the page', async () => {
    const args = ['account', 'invite', 'ada@example.com']
    const invited = await staffbook([...args, '--url', 'https://staff.example.com/x'])
    expect(invited.failure).toBe('')
    const [, token = ''] = /^https:\/\/staff\.example\.com\/#invite=([\w-]{43})$/.exec(invited.out) ?? []
    const environment = { PUBLIC_URL: 'https://other.example.com' }
    const json = (await staffbook(['--json', 'account', 'invite'], { environment })).json()
    expect(json).toEqual({
      link: expect.stringMatching(/^https:\/\/other\.example\.com\/#invite=[\w-]{43}$/),
      id: expect.any(String),
      expiresAt: expect.any(String),
    })
    expect((await staffbook(['account', 'invite', '--url', 'nonsense'])).code).toBe(1)

    const server = await startServerProcess({ DATA_DIR: folder, SIGN_UP: 'invited' })
    expect((await server.connect().signUp('ada@example.com', password, token)).status).toBe(201)
    expect((await staffbook(args)).err).toMatch(/account with this email/)
  })

  report('restores what one account has deleted since a time, and names the records of a batch', async () => {
    const { server, client } = await signInAt(startServerProcess({ DATA_DIR: folder }))
    const other = await server.signIn('bob@example.com')
    const { ids } = (await client.writeBatch({ add: makeEmployees(1500) })).body
    const [earlier, byAnother] = ids
    await client.remove(earlier)
    await other.remove(byAnother)
    const since = Date.parse((await client.get(paths.deleted)).body.documents[0].deletedAt) + 1
    await expect.poll(() => Date.now()).toBeGreaterThan(since)
    await client.writeBatch({ remove: await client.documents() }, 'none')
    await server.kill('SIGTERM')
    const restore = (by: string) => ['deleted', 'restore', '--since', new Date(since).toJSON(), '--by', by]
    expect((await staffbook(['deleted', 'restore', '--since', 'then'])).code).toBe(2)
    expect((await staffbook(restore('bob@example.com'))).out).toBe('Records restored: 0.')
    expect((await staffbook(restore('ada@example.com'))).out).toBe('Records restored: 1498.')
    const entries = parseLines((await staffbook(['activity', '--records'])).out)
    const deleted = entries.find(({ kind }) => kind === 'batch-delete')
    expect(deleted).toMatchObject({ count: 1498, by: 'ada@example.com', records: ids.slice(2) })
    expect((await staffbook(['activity'])).out).not.toContain('records')
  })

  report('names both accounts with one address, and whom each of them has invited', async () => {
    const [bob, zoe] = ['bob@example.com', 'zoe@example.com']
    await staffbook(['account', 'add', bob], { input: password })
    const server = await startServerProcess({ DATA_DIR: folder, SIGN_UP: 'invited' })
    async function letIn(maker: string, email: string, invitedEmail?: string) {
      const client = server.connect()
      await client.signIn(maker)
      const { body } = await client.post(paths.invitations, invitedEmail ? { email: invitedEmail } : {})
      await client.signUp(email, password, body.token)
    }
    await letIn(bob, zoe)
    await letIn(zoe, 'yan@example.com', 'yan@example.com')
    const { out } = await staffbook(['account', 'remove', bob])
    expect(out).toBe(`${bob} was removed.
Accounts that exist because of its invitations:
  ${zoe}, with a link for any email
  yan@example.com`)
    await letIn(zoe, bob, bob)
    const leaver = (await staffbook(['--json', 'leaver', bob])).json()
    const invited = [{ email: zoe, anyEmail: true }, { email: 'yan@example.com' }, { email: bob }]
    expect(leaver).toMatchObject({
      canSignIn: true,
      accounts: [
        { canSignIn: true, invited: [] },
        { canSignIn: false, invited },
      ],
    })
  })

  it('says of accounts and of what they did that their email looks like another one', async () => {
    const [email, other] = ['ada@example.com', 'ada@xn--exmple-4nf.com']
    for (const each of [email, other])
      expect((await staffbook(['account', 'add', each], { input: `${password}\n` })).failure).toBe('')
    const listed = (await staffbook(['--json', 'account', 'list'])).json()
    expect(listed).toMatchObject([
      { email, looksLike: other },
      { email: other, looksLike: email },
    ])
    const { employees, close } = await openSqlite({ dataDir: folder })
    await employees.add('a', ada, listed[1].uid)
    await employees.add('b', ada)
    await close()
    const { out } = await staffbook(['account', 'list'])
    expect(out).toMatch(new RegExp(`${other} .*\\(looks like ${email}\\)$`, 'm'))
    const lines = parseLines((await staffbook(['activity'])).out)
    const [byEve, byOperator] = lines.filter(({ kind }) => kind === 'add')
    expect(byEve).toMatchObject({ by: other, looksLike: email })
    expect(byOperator).toMatchObject({ by: 'operator' })
    expect(byOperator).not.toHaveProperty('looksLike')
    const added = lines.find(({ kind, account }) => kind === 'add-account' && account === other)
    expect(added).toMatchObject({ by: 'operator', accountLooksLike: email })
  })

  it('rejects invalid input with a message and an exit code', async () => {
    const weak = await staffbook(['account', 'add', 'ada@example.com'], { input: 'password' })
    expect(weak.failure).toMatch(/^1 staffbook: That password is too common/)
    const nobody = await staffbook(['account', 'remove', 'nobody@example.com'])
    expect(nobody.failure).toBe('1 staffbook: There is no account nobody@example.com.')
    for (const args of [['frobnicate'], ['account'], ['account', 'add'], ['--nonsense']])
      expect(await staffbook(args), args.join(' ')).toMatchObject({ code: 2 })
    expect((await staffbook(['backup'])).failure).toBe(
      '2 staffbook: This command takes 1 argument and got 0. See staffbook --help.',
    )
    const help = await staffbook(['--help'])
    expect(help.code).toBe(0)
    const names = 'account add,account revoke-sessions,backup,restore,check,key change,import'
    for (const name of names.split(',')) expect(help.out, name).toContain(`  ${name}`)
  })

  it('reports errors of the file system in one line', async () => {
    const added = await staffbook(['account', 'add', 'ada@example.com'], { input: password })
    expect(added.failure).toBe('')
    const another = new DatabaseSync(join(folder, 'staffbook.sqlite'))
    another.exec('BEGIN IMMEDIATE')
    const locked = await staffbook(['account', 'remove', 'ada@example.com'])
    another.close()
    expect(locked.failure).toBe('1 staffbook: database is locked')
    const nowhere = join(home, 'nowhere.sqlite')
    for (const command of ['check', 'restore'])
      expect((await staffbook([command, nowhere])).failure, command).toBe(
        `1 staffbook: ${nowhere} does not exist.`,
      )
    const beneathFile = join(folder, 'staffbook.sqlite', 'backup.sqlite')
    const refused = await staffbook(['backup', beneathFile])
    expect(refused.failure).toMatch(/^1 staffbook: .*backup\.sqlite cannot be written: .*$/)
    expect((await staffbook(['restore', home])).failure).toBe(`1 staffbook: ${home} is not a file.`)
  })

  it('does not create or change a database when listing accounts', async () => {
    const file = join(home, 'staffbook.sqlite')
    const list = async () => (await runCommand(['--data', home, 'account', 'list'])).failure
    expect(await list()).toMatch(/^1 .*There is no database in/)
    expect(readdirSync(home)).toEqual([])

    writeFileSync(file, '')
    expect(await list()).toMatch(/^1 .*is empty \(0 bytes\)/)
    expect(statSync(file).size).toBe(0)

    executeSql(file, 'CREATE TABLE theirs (a)')
    const bytes = readFileSync(file)
    expect(await list()).toMatch(/^1 .*of another program/)
    expect(readFileSync(file)).toEqual(bytes)
  })

  it('ignores an invalid database in the environment for commands that need none', async () => {
    const environment = { DATABASE_URL: 'mysql://nowhere', RECORDS_KEY: 'too short' }
    expect((await runCommand(['key', 'new'], { environment })).failure).toBe('')
    const { failure } = await runCommand(['check'], { environment: { DATABASE_URL: 'mysql://nowhere' } })
    expect(failure).toMatch(/^1 staffbook: DATABASE_URL must be of the form .*$/)
  })

  it('backs up one consistent state while clients write, and restores it', async () => {
    const backup = join(home, 'backups', 'one.sqlite')
    let server = await startUnlimitedServer({ DATA_DIR: folder })
    const client = await server.signIn()
    const add = makeEmployees(initialRecordCount, 'initial')
    expect((await client.writeBatch({ add })).status).toBe(200)
    const writers = createWriters(32, client.cookie)
    let done = false
    const writing = (async () => {
      while (!done) await writers.write(server.url, 5)
    })()
    const before = (await server.connect(client.cookie).book()).revision
    await writers.waitForMore(1)
    const [began, hadWritten] = [performance.now(), writers.acknowledged()]
    // In a process of its own, because the writers are in this one.
    expect((await runCommand(['--data', folder, 'backup', backup])).failure).toBe('')
    const [seconds, written] = [(performance.now() - began) / 1000, writers.acknowledged() - hadWritten]
    await writers.waitForMore(1)
    const after = (await server.connect(client.cookie).book()).revision
    done = true
    await writing
    // The test proves nothing without concurrent writes.
    expect(written).toBeGreaterThan(0)
    if (isNightly) {
      console.log(
        `backup of ${initialRecordCount} records: ${written} concurrent writes, ${Math.round(written / seconds)}/s`,
      )
    }
    expect(statSync(backup).mode & 0o077).toBe(0)
    expect(await staffbook(['backup', backup])).toMatchObject({ code: 1 })

    expect((await staffbook(['restore', backup])).failure).toMatch(/^1 .*is in use by another Staffbook/)
    const last = await server.connect(client.cookie).book()
    await server.kill('SIGTERM')

    const found = (await staffbook(['--json', 'check', backup])).json()
    expect(found).toMatchObject({ problems: [], accounts: 1 })
    expect(found.revision).toBeGreaterThan(before)
    expect(found.revision).toBeLessThan(after)

    const { kept } = (await staffbook(['--json', 'restore', backup])).json()
    expect(findBackupDifferences(backup, join(kept, 'staffbook.sqlite'), found.revision)).toEqual([])
    server = await startUnlimitedServer({ DATA_DIR: folder })
    await expect(server.connect(client.cookie).book()).rejects.toThrow('401')
    const again = await server.signIn()
    const restored = await server.connect(again.cookie).book()
    expect(restored.documents).toHaveLength(found.records)
    expect(restored.revision).toBeGreaterThan(last.revision)
    const stream = await again.openChangeStream({ since: last.revision })
    expect((await stream.next())?.event).toBe('stale')
  })

  it('can restore the previous database that a restore moved aside, with every acknowledged write', async () => {
    const backup = join(home, 'before.sqlite')
    const killed = await startUnlimitedServer({ DATA_DIR: folder })
    const client = await killed.signIn()
    expect(await staffbook(['backup', backup])).toMatchObject({ code: 0 })
    const { id } = (await client.add(ada)).body
    await killed.kill('SIGKILL')
    const { kept } = (await staffbook(['--json', 'restore', backup])).json()
    expect(statSync(join(kept, 'staffbook.sqlite-wal')).size).toBeGreaterThan(0)

    for (const [restored, documents] of [
      [backup, []],
      [join(kept, 'staffbook.sqlite'), [{ id, ...ada }]],
    ] as const) {
      expect(await staffbook(['restore', restored]), restored).toMatchObject({ code: 0, err: '' })
      const server = await startUnlimitedServer({ DATA_DIR: folder })
      const again = await server.signIn()
      expect(await again.documents()).toEqual(documents)
      await server.kill('SIGTERM')
    }
  })

  it("does not restore a damaged file or another program's database, nor apply the log of a lost database to a restored one", async () => {
    const [backup, foreign] = [join(home, 'backup.sqlite'), join(home, 'foreign.sqlite')]
    executeSql(foreign, 'CREATE TABLE books (title TEXT)')
    const killed = await startUnlimitedServer({ DATA_DIR: folder })
    const client = await killed.signIn()
    await staffbook(['backup', backup])
    await client.add(ada)
    await killed.kill('SIGKILL')
    for (const [file, problem] of [
      [foreign, 'is the database of another program'],
      [cliPath, 'is damaged: file is not a database'],
    ] as const)
      expect((await staffbook(['restore', file])).failure).toContain(`${file} ${problem}`)
    expect((await staffbook(['--json', 'check'])).json()).toMatchObject({ problems: [], records: 1 })

    rmSync(join(folder, 'staffbook.sqlite'))
    const { kept } = (await staffbook(['--json', 'restore', backup])).json()
    expect(readdirSync(kept)).toContain('staffbook.sqlite-wal')
    expect((await staffbook(['--json', 'check'])).json()).toMatchObject({ problems: [], records: 0 })
  })

  it('stores one backup per day, up to the configured number', async () => {
    await startUnlimitedServer({ DATA_DIR: folder })
    const backups = join(home, 'backups')
    const settings = { folder: backups, maxBackups: 2 }
    for (const day of ['2026-01-01', '2026-01-02', '2026-01-02', '2026-01-03'])
      await createTodaysBackup(folder, settings, new Date(day))
    expect(readdirSync(backups)).toEqual(['staffbook-2026-01-02.sqlite', 'staffbook-2026-01-03.sqlite'])
  })

  it('neither deletes a backup for those that a wrong clock has dated in the future, nor tells their age', async () => {
    const { employees, close } = await openSqlite({ dataDir: folder })
    await close()
    const settings = { folder: home, maxBackups: 1 }
    writeFileSync(join(home, 'staffbook-2999-01-01.sqlite'), '')
    const readStatus = startDailyBackups(undefined, settings, employees, console)
    expect(await readStatus()).toEqual({ ageSeconds: null, failed: false })
    for (const day of ['2026-01-01', '2026-01-02']) await createTodaysBackup(folder, settings, new Date(day))
    const names = ['staffbook-2026-01-02.sqlite', 'staffbook-2999-01-01.sqlite']
    expect(readdirSync(home)).toEqual(['data', ...names])
  })

  it('removes what was left of daily backups, but no unfinished backup of the operator', async () => {
    await (await openSqlite({ dataDir: folder })).close()
    const own = 'staffbook-2026-01-01.sqlite.4711.part'
    const ofOperator = 'staffbook-before-upgrade.sqlite.4711.part'
    for (const name of [own, `${own}-wal`, ofOperator]) writeFileSync(join(home, name), '')
    await createTodaysBackup(folder, { folder: home, maxBackups: 2 }, new Date('2026-01-02'))
    expect(readdirSync(home)).toEqual(['data', 'staffbook-2026-01-02.sqlite', ofOperator])
  })

  it('BACKUP_DIR: backs up a new register minutes after its first record, and tells age and failures', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] })
    await startUnlimitedServer({ DATA_DIR: folder })
    const backups = join(home, 'backups')
    ensureBackupFolder(backups)
    let revision = 0
    const head = async () => ({ revision, floor: 0, epoch: '' })
    const log = { info: vi.fn(), error: vi.fn() }
    const readStatus = startDailyBackups(folder, { folder: backups, maxBackups: 2 }, { head }, log)
    const checkAgain = () => vi.advanceTimersByTimeAsync(10 * 60_000)
    await checkAgain()
    expect(await readStatus()).toEqual({ ageSeconds: null, failed: false })
    revision = 1
    rmSync(backups, { recursive: true })
    writeFileSync(backups, '')
    await checkAgain()
    await expect.poll(() => log.error).toHaveBeenCalled()
    rmSync(backups)
    expect(await readStatus()).toEqual({ ageSeconds: null, failed: true })
    await checkAgain()
    await expect.poll(() => log.info).toHaveBeenCalled()
    expect(await readStatus()).toEqual({ ageSeconds: expect.any(Number), failed: false })
  })

  it('BACKUP_DIR: a start backs up records that have no backup', async () => {
    const writing = await openSqlite({ dataDir: folder })
    await writing.employees.add('a', ada)
    await writing.close()
    const { employees, close } = await openSqlite({ dataDir: folder })
    const log = { info: vi.fn(), error: vi.fn() }
    startDailyBackups(folder, { folder: home, maxBackups: 2 }, employees, log)
    await expect.poll(() => log.info).toHaveBeenCalled()
    await close()
  })

  it('BACKUP_DIR: a start takes from others what lets them change the folder or read a backup, and backs up', async () => {
    const backups = join(home, 'backups')
    const old = join(backups, 'staffbook-2026-01-01.sqlite')
    mkdirSync(backups)
    writeFileSync(old, '')
    chmodSync(backups, 0o777)
    chmodSync(old, 0o644)
    const server = await startServerProcess({ DATA_DIR: folder, BACKUP_DIR: backups })
    expect([statSync(backups).mode & 0o777, statSync(old).mode & 0o777]).toEqual([0o755, 0o600])
    // The program that creates a backup still uses the data folder after the file is there.
    await expect.poll(() => server.output.err).toContain('backup created')
    expect(readdirSync(backups)).toContainEqual(expect.stringMatching(/^staffbook-\d{4}-\d\d-\d\d\.sqlite$/))
    expect(readdirSync(backups)).toHaveLength(2)
  })

  it('BACKUP_DIR: a backup under way ends with its server and leaves no file', async () => {
    const backups = join(home, 'backups')
    mkdirSync(backups)
    writeFileSync(join(backups, 'staffbook-2026-01-01.sqlite'), '')
    const hang = `import { writeFileSync } from 'node:fs'
      if (process.argv.at(-2) === 'backup') {
        writeFileSync(process.argv.at(-1) + '.' + process.pid + '.part', '')
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
      }`
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(hang)}`
    const server = await startServerProcess({ DATA_DIR: folder, BACKUP_DIR: backups, NODE_OPTIONS })
    const findPid = () => readdirSync(backups).flatMap((name) => /\.(\d+)\.part$/.exec(name)?.[1] ?? [])
    await expect.poll(findPid).toHaveLength(1)
    const [pid = ''] = findPid()
    expect(await server.kill('SIGTERM')).toBe(0)
    expect(readdirSync(backups)).toEqual(['staffbook-2026-01-01.sqlite'])
    // It may remain as a zombie.
    const readState = () => spawnSync('ps', ['-o', 'stat=', '-p', pid], { encoding: 'utf8' }).stdout
    await expect.poll(readState).toMatch(/^(Z|$)/)
  })

  it('RECORDS_KEY: the data folder and backups contain no plain name, email or password', async () => {
    const key = (await staffbook(['key', 'new'])).out
    const { server, client } = await signInAt(startUnlimitedServer({ DATA_DIR: folder, RECORDS_KEY: key }))
    const { id } = (await client.add(ada)).body
    await client.update(id, renamed('Ada King-Noel', ada))
    await client.remove(id)
    await client.restore(id, ada)
    await staffbook(['backup', join(home, 'backup.sqlite')])
    expect(findPlaintextFiles(home)).toEqual([])
    expect(await client.documents()).toEqual([{ id, ...ada }])
    await server.kill('SIGKILL')
    expect(findPlaintextFiles(home)).toEqual([])

    const again = await startUnlimitedServer({ DATA_DIR: folder, RECORDS_KEY: key })
    expect(await again.connect(client.cookie).documents()).toEqual([{ id, ...ada }])
    await again.kill('SIGTERM')
    for (const [environment, message] of [
      [{}, 'is encrypted. Set RECORDS_KEY'],
      [{ RECORDS_KEY: 'ab'.repeat(32) }, 'is encrypted with a different key'],
    ] as const)
      await expect(startUnlimitedServer({ DATA_DIR: folder, ...environment }), message).rejects.toThrow(
        message,
      )
  })

  it('RECORDS_KEY: can be set, changed and removed for an existing database', async () => {
    let server = await startUnlimitedServer({ DATA_DIR: folder })
    const client = await server.signIn()
    const { id } = (await client.add(ada)).body
    await server.kill('SIGTERM')
    expect(findPlaintextFiles(folder)).not.toEqual([])

    const [first, second] = ['11'.repeat(32), '22'.repeat(32)]
    const change = async (from: string, to: string) => {
      const environment = { ...(from ? { RECORDS_KEY: from } : {}), ...(to ? { NEW_RECORDS_KEY: to } : {}) }
      expect(await staffbook(['key', 'change'], { environment })).toMatchObject({ code: 0, err: '' })
      server = await startUnlimitedServer({ DATA_DIR: folder, ...(to ? { RECORDS_KEY: to } : {}) })
      expect(await server.connect(client.cookie).documents()).toEqual([{ id, ...ada }])
      await server.kill('SIGTERM')
    }
    await change('', first)
    expect(findPlaintextFiles(folder)).toEqual([])
    expect((await staffbook(['key', 'change'], { environment: { RECORDS_KEY: second } })).code).toBe(1)
    await change(first, second)
    expect(findPlaintextFiles(folder)).toEqual([])
    await change(second, '')
    expect((await staffbook(['check'])).out).toMatch(/is intact \(records: 1, accounts: 1/)
  })

  it('RECORDS_KEY: cannot be changed while another program has the database open, whose log contains plain text', async () => {
    const server = await startUnlimitedServer({ DATA_DIR: folder })
    await (await server.signIn()).add(ada)
    await server.kill('SIGKILL')
    const another = new DatabaseSync(join(folder, 'staffbook.sqlite'), { readOnly: true })
    another.prepare('SELECT * FROM books').all()
    const environment = { NEW_RECORDS_KEY: '11'.repeat(32) }
    expect((await staffbook(['key', 'change'], { environment })).failure).toMatch(
      /^1 staffbook: The database .* is open in another program\. .*Nothing was changed\.$/,
    )
    expect((await staffbook(['--json', 'check'])).json()).toMatchObject({ problems: [], records: 1 })
    another.close()
    expect(await staffbook(['key', 'change'], { environment })).toMatchObject({ code: 0, err: '' })
    expect(findPlaintextFiles(folder)).toEqual([])
  })
})

/**
 * The differences between a backup and the state of a database at a revision: rows that were not written since must be
 * equal in both, and the backup must have no other rows.
 */
function findBackupDifferences(backup: string, database: string, revision: number): unknown[] {
  const readRows = (file: string) => {
    using database = new DatabaseSync(file, { readOnly: true })
    const rows = database.prepare('SELECT * FROM books ORDER BY seq').all()
    return new Map(rows.map((row) => [row.id, row]))
  }
  const [backupRows, currentRows] = [readRows(backup), readRows(database)]
  const unchanged = [...currentRows.values()].filter((row) => Number(row.revision) <= revision)
  const unexpectedIds = [...backupRows.keys()].filter((id) => !currentRows.has(id))
  return [
    ...unexpectedIds,
    ...unchanged.filter((row) => JSON.stringify(backupRows.get(row.id)) !== JSON.stringify(row)),
  ]
}

const parseLines = (text: string) => text.split('\n').map((line) => JSON.parse(line))

/** The files that contain plain text of the record. */
function findPlaintextFiles(folder: string): string[] {
  const texts = [...Object.values(ada), 'King-Noel']
  return listFiles(folder).filter((file) => texts.some((text) => readFileSync(file).includes(text)))
}
