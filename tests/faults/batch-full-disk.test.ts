import { expect, it } from 'vitest'
import { idempotencyKeyHeader, paths } from '../../contract/protocol.ts'
import { createFaultyDisk } from '../support/faults/disk.ts'
import { makeEmployeesWithPassword } from '../support/faults/employees.ts'
import { startServerProcess } from '../support/faults/server-process.ts'
import { createSignedInClient } from '../support/http-client.ts'
import { isNightly } from '../support/nightly.ts'

const batchSize = isNightly ? 50_000 : 500

it('a batch fails as a whole on a full disk, and succeeds when there is space again', async () => {
  const disk = createFaultyDisk()
  const server = await startServerProcess(disk.environment())
  const client = await createSignedInClient(server.url)
  const batch = { add: makeEmployeesWithPassword('engine', batchSize), update: [], remove: [] }
  const send = () => client.call('POST', paths.batch, batch, { [idempotencyKeyHeader]: 'once' })

  disk.order('full')
  const refused = await send()
  expect([refused.status, refused.body.code]).toEqual([507, 'storage-full'])
  expect((await client.list()).body).toEqual({ revision: 0, documents: [] })
  disk.order('')
  expect((await send()).status).toBe(200)
  expect((await client.list()).body.documents).toHaveLength(batchSize)
  await server.kill('SIGTERM')
  disk.remove()
})
