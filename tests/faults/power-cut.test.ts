import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../support/faults/command-line.ts'
import { createFaultyDisk } from '../support/faults/disk.ts'
import { startUnlimitedServer } from '../support/faults/unlimited-server.ts'
import { ada } from '../support/people.ts'

const databaseFile = 'staffbook.sqlite'

// Files that SQLite does not sync itself. Requires Linux and a C compiler; elsewhere these tests fail with a message.
describe('completed operations survive a power cut', () => {
  let disk: ReturnType<typeof createFaultyDisk>
  let data: string
  let environment: Record<string, string>

  beforeEach(() => {
    disk = createFaultyDisk()
    data = join(disk.folder, 'data')
    environment = { ...disk.environment(true), DATA_DIR: data }
  })

  const staffbook = (...args: string[]) => runCommand(args, { environment })

  async function check(file: string) {
    return (await runCommand(['--json', 'check', file])).json()
  }

  /** Adds a record, creating the database if necessary, and syncs everything to the disk. */
  async function addRecord() {
    const server = await startUnlimitedServer(environment)
    await (await server.signIn()).add(ada)
    await server.kill('SIGTERM')
    disk.syncAll()
  }

  it('creating a database', async () => {
    const server = await startUnlimitedServer(environment)
    await server.kill('SIGKILL')
    disk.cutPower()
    expect(await check(join(data, databaseFile))).toMatchObject({ problems: [], accounts: 0 })
  })

  it('a backup', async () => {
    await addRecord()
    const backup = join(disk.folder, 'backups', 'today.sqlite')
    expect(await staffbook('backup', backup)).toMatchObject({ code: 0, err: '' })
    disk.cutPower()
    expect(await check(backup)).toMatchObject({ problems: [], records: 1, accounts: 1 })
    expect(readdirSync(dirname(backup))).toEqual(['today.sqlite'])
  })

  it('a restore, and the previous database that it moved aside', async () => {
    await addRecord()
    const backup = join(disk.folder, 'today.sqlite')
    await staffbook('backup', backup)
    await addRecord()
    const { kept } = (await staffbook('--json', 'restore', backup)).json()
    disk.cutPower()
    expect(await check(join(data, databaseFile))).toMatchObject({ problems: [], records: 1 })
    expect(existsSync(join(data, `${databaseFile}.restored`))).toBe(false)
    expect(await check(join(kept, databaseFile))).toMatchObject({ problems: [], records: 2 })
  })

  it('an export', async () => {
    await addRecord()
    const file = join(disk.folder, 'register.json')
    expect(await staffbook('export', file)).toMatchObject({ code: 0 })
    disk.cutPower()
    expect(JSON.parse(readFileSync(file, 'utf8')).books).toEqual([{ id: expect.any(String), ...ada }])
    expect(readdirSync(disk.folder).sort()).toEqual(['data', 'register.json'])
  })
})
