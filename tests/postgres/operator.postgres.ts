import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { beforeEach, describe, expect, it } from 'vitest'
import { createCode } from '../../contract/emergency.ts'
import { paths } from '../../contract/protocol.ts'
import { run } from '../../scripts/terminal.ts'
import { exitCodes } from '../../server/process/lifecycle.ts'
import { accountCommandsTest } from '../contracts/account-commands.ts'
import { createFolder } from '../support/cleanup.ts'
import { openEmergencyFile } from '../support/emergency-file.ts'
import { minimalEnvironment } from '../support/environment.ts'
import { type CommandOptions, runCommandHere } from '../support/faults/command-line.ts'
import { type ServerProcess, startServerProcess } from '../support/faults/server-process.ts'
import type { TestClient, TestResponse } from '../support/http-client.ts'
import { signInAt } from '../support/http-client.ts'
import { ada, grace, namesOf, renamed } from '../support/people.ts'
import { ensureSystemPostgres } from '../support/postgres/binaries.ts'
import { createDatabase, query } from '../support/postgres/cluster.ts'
import { provideCluster } from '../support/postgres/storage.ts'
import { findUnprivilegedAccount } from '../support/unprivileged.ts'

const keys = ['11', '22'].map((byte) => byte.repeat(32)) as [string, string]

describe('PostgreSQL: operator commands', () => {
  const cluster = provideCluster(() => ({ bin: ensureSystemPostgres() }))
  let url: string
  let home: string

  beforeEach(async () => {
    home = createFolder()
    url = await createDatabase(cluster.url)
  })

  /** Runs the command line on the database. */
  const staffbook = (args: string[], { environment = {}, ...options }: CommandOptions = {}) =>
    runCommandHere(args, { ...options, environment: { DATABASE_URL: url, ...environment } })

  const start = (environment = {}) => startServerProcess({ DATABASE_URL: url, ...environment })

  function runPostgresTool(name: string, ...args: string[]) {
    const { status, stderr } = spawnSync(join(cluster.bin, name), args, { encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
  }

  accountCommandsTest(() => ({ DATABASE_URL: url }))

  it('encrypts the records and changes the key while no server runs, and leaves no plain text in the table', async () => {
    let server = await start()
    const client = await server.signIn()
    await client.add(ada)
    const change = (from: string | undefined, to: string) =>
      staffbook(['key', 'change'], { environment: { RECORDS_KEY: from ?? '', NEW_RECORDS_KEY: to } })
    expect((await change(undefined, keys[0])).err).toMatch(/is in use by a running Staffbook/)
    await server.kill('SIGTERM')

    expect(await change(undefined, keys[0])).toMatchObject({ code: 0 })
    expect(await change(keys[0], keys[1])).toMatchObject({ code: 0 })
    expect((await change(keys[0], keys[1])).err).toMatch(/is encrypted with a different key/)
    const sql = `SELECT encode ("eName" || email || password, 'escape') AS stored FROM books`
    const [{ stored }] = await query(url, sql)
    for (const word of Object.values(ada)) expect(stored).not.toContain(word)

    expect((await staffbook(['check'])).err).toMatch(/^The records are encrypted: set RECORDS_KEY/)
    const checked = await staffbook(['check'], { environment: { RECORDS_KEY: keys[1] } })
    expect(checked.out).toMatch(/is intact \(records: 1, accounts: 1, revision: 1\)\.$/)
    server = await start({ RECORDS_KEY: keys[1] })
    expect((await server.connect().get('/readyz')).status).toBe(200)
    expect(await (await server.signIn()).documents()).toMatchObject([ada])
  })

  it('reports that the new key is in use if the plain text could not be removed', async () => {
    const server = await start()
    await (await server.signIn()).add(ada)
    await server.kill('SIGTERM')
    const reader = new pg.Client(url)
    await reader.connect()
    await reader.query('BEGIN; SELECT * FROM books')
    const changing = staffbook(['key', 'change'], { environment: { NEW_RECORDS_KEY: keys[0] } })
    const cancelVacuumSql = `SELECT pg_cancel_backend (pid) FROM pg_stat_activity
      WHERE query LIKE 'VACUUM%' AND wait_event_type = 'Lock' AND pid <> pg_backend_pid ()`
    await expect.poll(() => query(url, cancelVacuumSql)).toHaveLength(1)
    const { failure } = await changing
    await reader.end()
    expect(failure).toMatch(/^1 .*is encrypted with the new key, but .* run VACUUM FULL books/)
    expect(await staffbook(['check'], { environment: { RECORDS_KEY: keys[0] } })).toMatchObject({ code: 0 })
  })

  it('reports an invalid DATABASE_URL in one line, without showing it', async () => {
    const problems = {
      'postgres://staffbook:hush-hush@127.0.0.1:1/%E0%A4%A': 'URI malformed',
      'postgres://staffbook:hush-hush@127.0.0.1:1/x?sslmode=verify-full&sslrootcert=/missing': 'ENOENT',
    }
    for (const [address, problem] of Object.entries(problems)) {
      const { failure } = await staffbook(['check'], { environment: { DATABASE_URL: address } })
      expect(failure, problem).toMatch(
        /^1 staffbook: The database that DATABASE_URL names cannot be opened: .*\.$/,
      )
      expect(failure).toContain(problem)
      expect(failure).not.toContain('hush-hush')
    }
  })

  it("refers to PostgreSQL's own tools for backups, and shows no password", async () => {
    const secret = url.replace('staffbook@', 'staffbook:hush-hush@')
    for (const command of ['backup', 'restore', 'check']) {
      const { failure } = await staffbook([command, 'x'], { environment: { DATABASE_URL: secret } })
      expect(failure, command).toMatch(/^1 .*pg_(dump|restore).*docs\/operations\.md/)
      expect(failure).not.toContain('hush-hush')
    }
  })

  /** Returns a path that an unprivileged account can read. */
  function copyBackupScript() {
    const script = join(cluster.folder, 'backup.sh')
    copyFileSync(new URL('../../deploy/postgres/backup.sh', import.meta.url), script)
    return script
  }

  it('backup.sh gives a dump its name once it has restored it, and the server tells its age and result', async () => {
    const backups = createFolder()
    const owner = findUnprivilegedAccount()
    if (owner) chownSync(backups, owner.uid, owner.gid)
    const script = copyBackupScript()
    const backUp = (programs = cluster.bin, BACKUP_KEEP = '1') => {
      const PATH = `${programs}:${cluster.bin}:${process.env.PATH}`
      const env = { ...minimalEnvironment(), PATH, DATABASE_URL: url, BACKUP_DIR: backups, BACKUP_KEEP }
      return spawnSync('sh', [script, 'once'], { ...owner, cwd: '/', env, encoding: 'utf8' })
    }
    expect(backUp().status).toBe(0)
    const { client } = await signInAt(start({ BACKUP_DIR: backups }))
    const readStatus = async () => (await client.get('/readyz?verbose')).body.backup
    expect(backUp().status).toBe(0)
    expect(readdirSync(backups)).toEqual([])
    expect(await readStatus()).toEqual({ ageSeconds: null, failed: false })

    await client.add(ada)
    await query(url, `INSERT INTO accounts VALUES ('--x', 'eve@x.y', 'eve@x.y', 'hash', '2026')`)
    // Loses the end of the dump, or a row, whose id may begin like a comment.
    for (const [name, filter] of [
      ['pg_dump', 'head -c 9000 "$file" >"$file.cut" && mv "$file.cut" "$file"'],
      ['pg_restore', 'grep -v eve@x.y "$file" >"$file.cut"; mv "$file.cut" "$file"'],
    ] as const) {
      const lossy = createFolder()
      const program = `#!/bin/sh\n"${cluster.bin}/${name}" "$@" || exit 1
for arg; do case "$arg" in --file=*) file="\${arg#--file=}"; ${filter};; esac; done`
      writeFileSync(join(lossy, name), program, { mode: 0o755 })
      chmodSync(lossy, 0o755)
      expect(backUp(lossy)).toMatchObject({ status: 1, stderr: expect.stringMatching(/./) })
      expect(readdirSync(backups)).toEqual(['backup-failed'])
      expect(await readStatus()).toEqual({ ageSeconds: null, failed: true })
    }

    const [old, own] = ['staffbook-2025-12-30.dump', 'staffbook-2025-12-31-by-hand.dump'] as const
    const ofWrongClock = 'staffbook-2999-01-01.dump'
    for (const name of [old, own, ofWrongClock]) writeFileSync(join(backups, name), '')
    expect(backUp(cluster.bin, '0').stderr).toContain('BACKUP_KEEP')
    expect(backUp()).toMatchObject({ status: 0, stderr: '' })
    const todays = expect.stringMatching(/^staffbook-20[\d-]{8}\.dump$/)
    expect(readdirSync(backups).sort()).toEqual([own, todays, ofWrongClock])
    expect(await readStatus()).toEqual({ ageSeconds: expect.any(Number), failed: false })
  })

  it('backup.sh ends at once when its container stops, and leaves nothing behind', async () => {
    await (await (await start()).signIn()).add(ada)
    const [backups, programs, temporary] = [createFolder(), createFolder(), createFolder()]
    const owner = findUnprivilegedAccount()
    for (const folder of [backups, programs, temporary]) if (owner) chownSync(folder, owner.uid, owner.gid)
    const script = copyBackupScript()
    const started = join(programs, 'started')
    writeFileSync(join(programs, 'pg_dump'), `#!/bin/sh\n: >${started}; exec sleep 600`, { mode: 0o755 })
    const PATH = `${programs}:${cluster.bin}:${process.env.PATH}`
    const env = { ...minimalEnvironment(), PATH, TMPDIR: temporary, DATABASE_URL: url, BACKUP_DIR: backups }
    const child = spawn('sh', [script], { ...owner, cwd: '/', env, stdio: 'ignore' })
    await expect.poll(() => existsSync(started)).toBe(true)
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(readdirSync(temporary)).toEqual([])
  })

  it('reports damage, and a database without tables', async () => {
    expect((await staffbook(['check'])).err).toMatch(/has no tables yet/)
    const server = await start({ RECORDS_KEY: keys[0] })
    await (await server.signIn()).add(ada)
    await query(url, `UPDATE books SET "eName" = 'x'; UPDATE register SET revision = 0`)
    const { failure } = await staffbook(['check'], { environment: { RECORDS_KEY: keys[0] } })
    expect(failure.split('\n')).toEqual([
      '1 The table register does not match the latest write in books.',
      expect.stringMatching(/^Record .* cannot be decrypted with RECORDS_KEY\.$/),
    ])
  })

  it('exports and imports between a folder and the database while a server runs', async () => {
    const [folder, back] = [join(home, 'folder'), join(home, 'back')]
    const [first = '', second = '', third = ''] = ['1', '2', '3'].map((name) => join(home, `${name}.json`))
    const embedded = await startServerProcess({ DATA_DIR: folder })
    const client = await embedded.signIn()
    for (const name of ['Ada', 'Grace', 'Edsger']) await client.add(renamed(name))
    await embedded.kill('SIGTERM')
    expect(await staffbook(['--data', folder, 'export', first])).toMatchObject({ code: 0 })
    const server = await start()
    expect((await staffbook(['import', first])).out).toContain('Records imported: 3; already present: 0.')
    expect((await staffbook(['import', first])).out).toContain('Records imported: 0; already present: 3.')
    const there = server.connect()
    expect((await there.signIn('ada@example.com')).status).toBe(200)
    const documents = await there.documents()
    expect(namesOf(documents)).toEqual(['Ada', 'Grace', 'Edsger'])
    expect(await staffbook(['export', second])).toMatchObject({ code: 0 })
    expect(await staffbook(['--data', back, 'import', second])).toMatchObject({ code: 0 })
    expect(await staffbook(['--data', back, 'export', third])).toMatchObject({ code: 0 })
    const contents = [first, second, third].map((file) => JSON.parse(readFileSync(file, 'utf8')))
    expect(contents[1]).toEqual(contents[0])
    expect(contents[2]).toEqual(contents[0])

    expect(await run(process.execPath, ['scripts/build.ts'])).toBe(0)
    const [page, code] = [join(home, 'emergency.html'), createCode()]
    expect(await staffbook(['emergency', page], { input: code })).toMatchObject({ code: 0 })
    const opened = openEmergencyFile(readFileSync(page, 'utf8'), code)
    expect(opened?.rows.map(([name]) => name)).toEqual(['Ada', 'Grace', 'Edsger'])
  })

  it('imports although others write for longer than a server would wait', async () => {
    const file = join(home, 'patient.json')
    const { client } = await signInAt(start())
    await client.add(ada)
    const { id } = (await client.add(ada)).body
    expect(await staffbook(['export', file])).toMatchObject({ code: 0 })
    // An import restores it after the batch of added records.
    await client.remove(id)
    const held = query(url, 'BEGIN; SELECT FROM register FOR UPDATE; SELECT pg_sleep(6); COMMIT')
    expect((await staffbook(['import', file])).out).toContain('Records imported: 1; already present: 1.')
    await held
  })

  /** Expects that the server stops, and that a new one has the one remaining record, no session, and a later epoch. */
  async function expectNewEpoch(server: ServerProcess, client: TestClient, last: TestResponse) {
    expect(await server.exited).toBe(exitCodes.stale)
    expect(server.output.err).toContain('The database was replaced, or restored to an earlier state')
    const again = await start()
    // The server that stops has often begun the epoch.
    expect(server.output.err + again.output.err).toContain(
      'A restore brings back accounts that were removed since',
    )
    const back = again.connect()
    expect((await back.get(paths.session, { cookie: client.cookie })).status).toBe(401)
    await back.signIn('ada@example.com')
    const { body, headers } = await back.list()
    expect(namesOf(body.documents)).toEqual([ada.eName])
    expect(body.revision).toBeGreaterThan(last.body.revision)
    expect(headers.get('etag')).not.toBe(last.headers.get('etag'))
    const stream = await back.openChangeStream({ since: last.body.revision })
    expect((await stream.next())?.event).toBe('stale')
  }

  it('stops running servers when a dump is restored in place, and starts a new epoch', async () => {
    const { server, client } = await signInAt(start())
    await client.add(ada)
    const dump = join(cluster.folder, 'register.dump')
    runPostgresTool('pg_dump', '-Fc', '-f', dump, url)
    await client.add(grace)
    const last = await client.list()
    runPostgresTool('pg_restore', '--clean', '--if-exists', '--single-transaction', '-d', url, dump)
    await expectNewEpoch(server, client, last)
  })

  it('stops running servers when the database is replaced by a copy, and starts a new epoch', async () => {
    const first = await start()
    await (await first.signIn()).add(ada)
    await first.kill('SIGTERM')
    const name = new URL(url).pathname.slice(1)
    await query(cluster.url, `CREATE DATABASE ${name}_copy TEMPLATE ${name}`)
    const { server, client } = await signInAt(start())
    await client.add(grace)
    const last = await client.list()
    await query(cluster.url, `DROP DATABASE ${name} WITH (FORCE)`)
    await query(cluster.url, `CREATE DATABASE ${name} TEMPLATE ${name}_copy`)
    await expectNewEpoch(server, client, last)
  })

  it('stops running servers when a standby is promoted, and starts a new epoch', async () => {
    const { server, client } = await signInAt(start())
    await client.add(ada)
    const last = await client.list()
    await cluster.failOver()
    await expectNewEpoch(server, client, last)
  })
})
