import { expect, it } from 'vitest'
import { idempotencyKeyHeader, paths } from '../../contract/protocol.ts'
import { createDisk } from '../support/faults/disk.ts'
import { peopleWith } from '../support/faults/people.ts'
import { startProcess } from '../support/faults/server-process.ts'
import { signedIn } from '../support/http-client.ts'

const size = 5000

it('import: a disk that is full refuses a batch whole; with room again it goes through', async () => {
  const disk = createDisk()
  const server = await startProcess(disk.environment())
  const client = await signedIn(server.url)
  const batch = { add: peopleWith('engine', size), update: [], remove: [] }
  const send = () => client.call('POST', paths.batch, batch, { [idempotencyKeyHeader]: 'once' })

  disk.order('full')
  const refused = await send()
  expect([refused.status, refused.body.code]).toEqual([507, 'storage-full'])
  expect((await client.list()).body).toEqual({ revision: 0, documents: [] })
  disk.order('')
  expect((await send()).status).toBe(200)
  expect((await client.list()).body.documents).toHaveLength(size)
  await server.kill('SIGTERM')
  disk.remove()
})
