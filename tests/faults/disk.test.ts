import { readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { paths } from '../../contract/protocol.ts'
import { exitCodes } from '../../server/process/lifecycle.ts'
import { runCommand } from '../support/faults/command-line.ts'
import { createFaultyDisk } from '../support/faults/disk.ts'
import { startUnlimitedServer } from '../support/faults/unlimited-server.ts'
import { createWriters } from '../support/faults/writers.ts'
import { refusal, signInAt } from '../support/http-client.ts'
import { isNightly } from '../support/nightly.ts'
import { ada, grace, makeEmployees, renamed } from '../support/people.ts'
import { createRandom } from '../support/random.ts'
import { seed } from '../support/sample.ts'
import { timeouts } from '../support/timeouts.ts'

const rounds = isNightly ? 50 : 2
const clientCount = 16
const batchSize = isNightly ? 50_000 : 500

// Requires Linux and a C compiler; elsewhere these tests fail with a message.
describe('disk faults', () => {
  let disk: ReturnType<typeof createFaultyDisk>

  beforeEach(() => {
    disk = createFaultyDisk()
  })

  const staffbook = (...args: string[]) => runCommand(args, { environment: disk.environment() })

  /** Writes, cuts the power and restarts on the state of the disk, in rounds. Returns the lost writes. */
  async function findLostWrites(synchronous: 'FULL' | 'NORMAL', roundCount: number) {
    const environment = { ...disk.environment(true), SYNCHRONOUS: synchronous }
    let server = await startUnlimitedServer(environment)
    const { cookie } = await server.signIn()
    const writers = createWriters(clientCount, cookie)
    const random = createRandom(seed)
    const differences: string[] = []
    for (let round = 0; round < roundCount; round++) {
      const written = writers.writeUntilDown(server.url)
      await writers.waitForMore(200)
      await server.kill('SIGKILL')
      await written
      disk.cutPower(() => random(2) === 0)
      server = await startUnlimitedServer(environment)
      // With synchronous=NORMAL the account may be lost too.
      const reader = await server.signIn()
      differences.push(...writers.findDifferences(await server.connect(reader.cookie).book()))
      if (differences.length > 0) break
      await writers.retryUnanswered(server.url)
    }
    await server.kill('SIGKILL')
    return { differences, acknowledged: writers.acknowledged() }
  }

  it(
    `a power cut loses no acknowledged write (${rounds} rounds)`,
    async () => {
      const { differences, acknowledged } = await findLostWrites('FULL', rounds)
      expect(differences).toEqual([])
      expect(acknowledged).toBeGreaterThanOrEqual(rounds * 200)
      if (isNightly)
        console.log(`power cut: ${rounds} rounds, ${acknowledged} acknowledged writes, none lost`)
    },
    timeouts.longTestMs,
  )

  it('with synchronous=NORMAL a power cut loses acknowledged writes, so this test can detect a loss', async () => {
    const { differences } = await findLostWrites('NORMAL', 1)
    expect(differences).not.toEqual([])
  })

  it('after a failed fsync the server acknowledges no further write and exits with its code; nothing is lost', async () => {
    let server = await startUnlimitedServer(disk.environment())
    const client = await server.signIn()
    const { id } = (await client.add(ada)).body
    disk.order('fail-sync')
    const refused = await client.add(renamed('not synced'))
    expect(refused).toMatchObject(refusal(503, 'storage-unavailable'))
    expect(refused.body.message).toMatch('Look whether it is there')
    // A disk that works again may have dropped the failed pages. The server may have exited already.
    disk.order('')
    const rejected = await client.add(renamed('after the failure')).catch(() => undefined)
    expect([503, undefined]).toContain(rejected?.status)
    expect(await server.exited).toBe(exitCodes.disk)
    expect(server.output.err).toContain('no further writes are acknowledged')
    server = await startUnlimitedServer(disk.environment())
    const { documents } = await server.connect(client.cookie).book()
    expect(documents[0]).toEqual({ id, ...ada })
  })

  /** Waits until the log of writes that the database file does not have yet is empty. */
  const untilResting = () =>
    expect.poll(() => statSync(join(disk.folder, 'staffbook.sqlite-wal')).size).toBe(0)

  it('after a failed fsync of a checkpoint the server exits with its code; nothing is lost', async () => {
    let server = await startUnlimitedServer(disk.environment())
    const client = await server.signIn()
    await untilResting()
    disk.order('fail-checkpoint-sync')
    // Larger than the log at which a checkpoint begins.
    const add = makeEmployees(10_000, 'engine'.repeat(400))
    expect((await client.writeBatch({ add })).status).toBe(200)
    expect(await server.exited).toBe(exitCodes.disk)
    expect(server.output.err).toContain('no further writes are acknowledged')
    disk.order('')
    server = await startUnlimitedServer(disk.environment())
    expect(await server.connect(client.cookie).documents()).toHaveLength(add.length)
  })

  it('after a failed fsync while it rests, too', async () => {
    let server = await startUnlimitedServer(disk.environment())
    const client = await server.signIn()
    await untilResting()
    disk.order('fail-checkpoint-sync')
    const { id } = (await client.add(ada)).body
    expect(await server.exited).toBe(exitCodes.disk)
    disk.order('')
    server = await startUnlimitedServer(disk.environment())
    expect(await server.connect(client.cookie).documents()).toEqual([{ id, ...ada }])
  })

  it.each([
    ['full', 'full', 507, 'storage-full'],
    ['read-only', 'read-only', 503, 'storage-unavailable'],
  ])(
    'a disk that becomes %s: writes fail, reads continue, and writes succeed after recovery',
    async (_, order, status, code) => {
      let server = await startUnlimitedServer(disk.environment())
      const client = await server.signIn()
      const { id } = (await client.add(ada)).body
      const sendBatch = () => client.writeBatch({ add: makeEmployees(batchSize), remove: [{ id, ...ada }] })
      disk.order(order)
      for (const rejected of [
        await sendBatch(),
        await client.add(ada),
        await client.update(id, grace),
        await client.remove(id),
      ]) {
        expect([rejected.status, rejected.body.code]).toEqual([status, code])
        expect(rejected.body.message).toMatch('Nothing was changed')
      }
      expect((await server.connect().signIn('ada@example.com')).status).toBe(status)
      // The user stays signed in.
      expect((await client.delete(paths.session)).status).toBe(status)
      expect(await client.documents()).toEqual([{ id, ...ada }])
      disk.order('')
      const added = await client.add(grace)
      expect(added.status).toBe(201)
      const expected = [
        { id, ...ada },
        { id: added.body.id, ...grace },
      ]
      expect(await client.documents()).toEqual(expected)
      expect((await sendBatch()).status).toBe(200)
      await server.kill('SIGKILL')
      server = await startUnlimitedServer(disk.environment())
      const { documents } = await server.connect(client.cookie).book()
      expect(documents.slice(0, 1)).toEqual(expected.slice(1))
      expect(documents).toHaveLength(1 + batchSize)
    },
  )

  it('on a full disk, signing out and ending other sessions succeed with space that was reserved, also twice', async () => {
    const server = await startUnlimitedServer(disk.environment())
    const clients = [await server.signIn(), await server.signIn(), await server.signIn()] as const
    for (const client of clients) {
      disk.order('full until-free')
      expect((await client.add(ada)).status).toBe(507)
      expect((await client.delete(paths.session)).status).toBe(204)
      expect((await client.list()).status).toBe(401)
    }
    disk.order('')
    await server.kill('SIGKILL')
    const restarted = await startUnlimitedServer(disk.environment())
    for (const { cookie } of clients) expect((await restarted.connect(cookie).list()).status).toBe(401)
  })

  it.each([
    ['full', 'The disk is full.'],
    ['read-only', 'The disk can’t be written to.'],
  ])(
    'while the disk is %s, /readyz is 503 with the reason, and 200 again without another write',
    async (order, reason) => {
      const server = await startUnlimitedServer(disk.environment())
      const client = await server.signIn()
      const readyz = async (query = '') => {
        const { status, body } = await client.get(`/readyz${query}`)
        return [status, body.message]
      }
      expect(await readyz()).toEqual([200, undefined])
      disk.order(order)
      expect((await client.add(ada)).status).not.toBe(201)
      for (let i = 0; i < 2; i++)
        expect(await readyz()).toEqual([503, `${reason} Nothing can be saved; what is saved can be read.`])
      expect(await readyz('?reads')).toEqual([200, undefined])
      disk.order('')
      expect(await readyz()).toEqual([200, undefined])
      expect((await client.add(ada)).status).toBe(201)
    },
  )

  it('the operator removes an account on a full disk, with space that was reserved, also twice', async () => {
    const server = await startUnlimitedServer(disk.environment())
    const emails = ['ada@example.com', 'bob@example.com']
    const clients = await Promise.all(emails.map((email) => server.signIn(email)))
    disk.order('full')
    expect((await staffbook('account', 'remove', 'ada@example.com')).code).toBe(1)
    for (const [i, client] of clients.entries()) {
      disk.order('full until-free')
      const { out, err } = await staffbook('account', 'remove', emails[i] ?? '')
      expect([out, err]).toEqual([expect.stringContaining('was removed.'), ''])
      await expect.poll(async () => (await client.list()).status).toBe(401)
    }
    expect(statSync(join(disk.folder, 'reserve')).size).toBe(2 ** 20)
    expect((await staffbook('account', 'list')).code).toBe(0)
  })

  it('a backup and a restore on a full disk fail with a message, leave no file behind and change nothing', async () => {
    const server = await startUnlimitedServer(disk.environment())
    await (await server.signIn()).add(ada)
    await server.kill('SIGTERM')
    const [home, backup] = [dirname(disk.folder), join(dirname(disk.folder), 'backup.sqlite')]
    expect((await staffbook('backup', backup)).failure).toBe('')
    // A connection that only reads leaves an empty WAL behind.
    const listFiles = () => readdirSync(disk.folder).filter((name) => !/-(shm|wal)$/.test(name))
    const before = listFiles()
    disk.order('full')
    for (const [command, file] of [
      ['backup', join(disk.folder, 'backup.sqlite')],
      ['restore', backup],
    ] as const) {
      const { failure } = await staffbook(command, file)
      expect(failure).toMatch(/^1 staffbook: .* cannot be written( to)?: database or disk is full$/)
      expect(listFiles()).toEqual(before)
    }
    disk.order('')
    expect((await staffbook('--json', 'check')).json()).toMatchObject({ problems: [], records: 1 })
    expect(readdirSync(home).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  it('a change of the key on a full disk says so in one line, and changes nothing', async () => {
    const server = await startUnlimitedServer(disk.environment())
    await (await server.signIn()).add(ada)
    await server.kill('SIGTERM')
    disk.order('full')
    const environment = { ...disk.environment(), NEW_RECORDS_KEY: 'ab'.repeat(32) }
    const { failure } = await runCommand(['key', 'change'], { environment })
    expect(failure).toMatch(/^1 staffbook: The .* (was not changed|cannot be (opened|written to)): .*$/)
    disk.order('')
    expect((await staffbook('--json', 'check')).json()).toMatchObject({ problems: [], records: 1 })
  })

  it('a change of the key on a disk that becomes full before it begins says so in one line', async () => {
    const server = await startUnlimitedServer(disk.environment())
    await (await server.signIn()).add(ada)
    await server.kill('SIGTERM')
    rmSync(join(disk.folder, 'reserve'))
    disk.order('no-memory-room until-free')
    const environment = { ...disk.environment(), NEW_RECORDS_KEY: 'ab'.repeat(32) }
    const { failure } = await runCommand(['key', 'change'], { environment })
    const file = join(disk.folder, 'staffbook.sqlite')
    expect(failure).toBe(`1 staffbook: The key of ${file} was not changed: database or disk is full`)
    disk.order('')
    expect((await staffbook('--json', 'check')).json()).toMatchObject({ problems: [], records: 1 })
  })

  it('a disk without room for what connections share is called full, and the database not damaged', async () => {
    const server = await startUnlimitedServer(disk.environment())
    await (await server.signIn()).add(ada)
    await server.kill('SIGTERM')
    const file = join(disk.folder, 'staffbook.sqlite')
    const backup = join(dirname(disk.folder), 'backup.sqlite')
    disk.order('no-memory-room')
    const cause = 'database or disk is full'
    const unopened = `The database ${file} cannot be opened: ${cause}. Nothing was changed. Free some space.`
    await expect(startUnlimitedServer(disk.environment())).rejects.toThrow(unopened)
    const environment = { ...disk.environment(), NEW_RECORDS_KEY: 'ab'.repeat(32) }
    expect((await runCommand(['key', 'change'], { environment })).failure).toBe(`1 staffbook: ${unopened}`)
    const read = `The database ${file} cannot be read: ${cause}`
    expect((await staffbook('backup', backup)).failure).toBe(`1 staffbook: ${read}`)
    expect((await staffbook('check')).failure).toContain(`The file cannot be read: ${cause}`)
    disk.order('')
    expect((await staffbook('--json', 'check')).json()).toMatchObject({ problems: [], records: 1 })
  })

  it('reads do not wait for writes on a slow disk', async () => {
    const { client } = await signInAt(startUnlimitedServer(disk.environment()))
    disk.order('hold-sync')
    let isWritten = false
    const adding = client.add(ada).finally(() => {
      isWritten = true
    })
    for (let i = 0; i < 20; i++) expect((await client.list()).status).toBe(200)
    expect(isWritten).toBe(false)
    disk.order('')
    expect((await adding).status).toBe(201)
  })
})
