// Two optional fields that the product does not have, a text and a secret, in a copy of the repository: every part of the product
// has them, and works with clients and data that do not.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { paths } from '../../contract/protocol.ts'
import { startServerProcess } from '../support/faults/server-process.ts'
import { password } from '../support/http-client.ts'
import { isNightly } from '../support/nightly.ts'
import { ada, alan, grace } from '../support/people.ts'
import { sample } from '../support/sample.ts'
import { timeouts } from '../support/timeouts.ts'
import { copyWithMadeUpFields } from './made-up-fields.ts'

/** What a day tries besides the fields' way from the protocol to the database. */
const today = sample(['types', 'page', 'older register', 'PostgreSQL'], 1)

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'staffbook-fields-'))
  copyWithMadeUpFields(folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/**
 * Runs the tool of a package in the copy. Resolves to its output, followed by its exit code. Tests run in their short form: the
 * long one takes hours, and the other suites run it.
 */
async function runInCopy(tool: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, NIGHTLY: '' }
  const child = spawn(process.execPath, [`node_modules/${tool}`, ...args], { cwd: folder, env })
  let output = ''
  const collect = (bytes: Buffer) => {
    output += bytes
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  const code = await new Promise((resolve) => child.on('close', resolve))
  return `${output}\nexit code ${code}`
}

const runTests = (...args: string[]) => runInCopy('vitest/vitest.mjs', 'run', '--reporter=dot', ...args)

if (today.includes('types'))
  test('no code takes an optional field for one that is there', {
    timeout: timeouts.longTestMs,
  }, async () => {
    expect(await runInCopy('typescript/bin/tsc', '--build')).toBe('\nexit code 0')
  })

/** From the protocol to the database. */
const core = ['contract/employees', 'server/records/records.test']
const others = [
  'server/storage/sqlite/sqlite.test',
  'web/auth',
  'web/backends/memory',
  'web/backends/self-hosted/contracts',
  'web/records/features/export',
  'web/records/features/import/matching/match-rows',
  'web/records/features/import/preview',
  'web/records/model',
]
const files = sample([...core, ...others], 1, { isCorner: (file) => core.includes(file) })

test('the fields are in the contract, the storage, the protocol, the import and the export', {
  timeout: timeouts.longTestMs,
}, async () => {
  expect(await runTests('--project', 'units', ...files)).toMatch(/exit code 0$/)
})

if (today.includes('page'))
  test('the fields are in the form, the table, its printout, conflicts and the import', {
    timeout: timeouts.longTestMs,
  }, async () => {
    const config = ['--config', 'tests/components/vitest.config.ts']
    expect(await runTests(...config, 'tests/components/fields.test.tsx')).toMatch(/exit code 0$/)
  })

if (today.includes('PostgreSQL'))
  test('the fields are in a database of PostgreSQL', { timeout: timeouts.longTestMs }, async () => {
    const files = [
      'tests/postgres/storage.postgres',
      'server/records/records.test',
      'server/records/batch.test',
    ]
    const config = ['--config', 'tests/postgres/vitest.config.ts']
    expect(await runTests(...config, ...files)).toMatch(/exit code 0$/)
  })

// By day the emulators have their own tests to run.
if (isNightly)
  test('the fields are in Firestore and its rules', { timeout: timeouts.longTestMs }, async () => {
    const files = ['services', 'rules', 'history-rules'].map((name) => `tests/firebase/${name}.emulated`)
    const config = ['--config', 'tests/firebase/vitest.config.ts']
    expect(await runTests(...config, ...files)).toMatch(/exit code 0$/)
  })

const keys = today.includes('older register') ? sample(['', '07'.repeat(32)], 1) : []
test.each(keys)(
  'requests and passwords of a register from before the fields are recognised (key: %s)',
  {
    timeout: timeouts.longTestMs,
  },
  async (key) => {
    const environment = { DATA_DIR: join(folder, `register-${key.length}`), RECORDS_KEY: key }
    const older = await startServerProcess(environment)
    const client = await older.signIn()
    const leaver = await (await older.signIn('bob@example.com')).uid()
    const { id } = (await client.add(ada, 'single')).body
    const batch = { add: [grace, alan] }
    const { ids } = (await client.writeBatch(batch, 'import')).body
    await client.put(paths.accountRemoval(leaver), { password })
    const changed = { ...grace, password: 'another' }
    const update = { update: [{ seen: { id: ids[0], ...grace }, fields: changed }] }
    expect((await client.writeBatch(update, 'update')).body).toMatchObject({ kept: [] })
    await older.kill('SIGTERM')

    const newer = await startServerProcess(environment, join(folder, 'server/main.ts'))
    const again = newer.connect()
    await again.signIn('ada@example.com')
    expect((await again.add(ada, 'single')).body).toEqual({ id })
    expect((await again.writeBatch(batch, 'import')).body).toMatchObject({ ids })
    expect((await again.writeBatch(update, 'update')).body).toMatchObject({ kept: [] })
    expect(await again.documents()).toEqual([
      { id, ...ada },
      { id: ids[0], ...changed },
      { id: ids[1], ...alan },
    ])
    const listExposed = async () => (await again.get(`${paths.exposed}?account=${leaver}`)).body.ids
    expect(await listExposed()).toEqual([id, ids[1]])
    // A password that comes back is known.
    await again.update(ids[0], { ...grace, note: 'x' })
    expect(await listExposed()).toEqual([id, ...ids])
  },
)
