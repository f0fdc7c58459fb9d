import { paths } from '../../contract/protocol.ts'
import { buildRequest, compareLoads } from './load.ts'
import { createSeededFolder, employeeAt, startBaseline, startWithSession } from './servers.ts'

const referenceName = 'bare `node:http` and group commit in a worker'

/** Durable writes against a minimal group commit. */
export async function measureWrites() {
  const ours = await startWithSession(await createSeededFolder(100))
  const deleteServer = await startWithSession(await createSeededFolder(600_000))
  const bare = await startBaseline(ours.url, ours.cookie)
  const bareAdd = { ...bare, request: () => buildRequest('POST', '/', {}, employeeAt(1)) }
  const add = () => buildRequest('POST', paths.books, { cookie: ours.cookie }, employeeAt(1))
  let removed = 0
  const deleteNext = () =>
    buildRequest('DELETE', paths.book(`record-${removed++}`), { cookie: deleteServer.cookie })
  const loads = {
    add: { ...ours, request: add },
    update: { ...ours, request: createUpdateRequests(ours.cookie) },
    delete: { ...deleteServer, request: deleteNext },
  }
  for (const connections of [50, 1]) {
    for (const [name, load] of Object.entries(loads)) {
      const label = `durable ${name}, ${connections} connection${connections > 1 ? 's' : ''}`
      await compareLoads(
        { label, referenceName, atLeast: connections > 1 ? 0.5 : 0.6 },
        connections,
        load,
        bareAdd,
      )
    }
  }
  await Promise.all([bare.stop(), deleteServer.stop(), ours.stop()])
}

/** A write with 100,000 records against one with 100, on servers that have just started. */
export async function measureGrowth() {
  const [large, small] = [
    await startWithSession(await createSeededFolder(100_000)),
    await startWithSession(await createSeededFolder(100)),
  ]
  await compareLoads(
    {
      label: 'a write with 100,000 records, 50 connections',
      referenceName: 'ours with 100 records',
      atLeast: 0.9,
    },
    50,
    { ...large, request: createUpdateRequests(large.cookie) },
    { ...small, request: createUpdateRequests(small.cookie) },
  )
  await Promise.all([large.stop(), small.stop()])
}

const createUpdateRequests = (cookie: string) => (turn: number, connection: number) => {
  const path = paths.book(`record-${(turn * 31 + connection) % 100}`)
  return buildRequest('PATCH', path, { cookie }, employeeAt(turn))
}
