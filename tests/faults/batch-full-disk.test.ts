import { expect, it } from 'vitest'
import { idempotencyKeyHeader, paths } from '../../contract/protocol.ts'
import { createFaultyDisk } from '../support/faults/disk.ts'
import { makeEmployeesWithPassword } from '../support/faults/employees.ts'
import { startServerProcess } from '../support/faults/server-process.ts'
import { createSignedInClient } from '../support/http-client.ts'

const batchSize = 5000

it('import: a disk that is full refuses a batch whole; with room again it goes through', async () => {
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
