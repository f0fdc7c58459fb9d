import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { expect, it, onTestFinished } from 'vitest'
import { startUnlimitedServerInTempDir } from '../support/faults/unlimited-server.ts'
import { createSignedInClient, createTestClient, type TestResponse } from '../support/http-client.ts'
import { isNightly } from '../support/nightly.ts'

const maxWaitingSignIns = 100
const signInCount = (isNightly ? 4 : 2) * maxWaitingSignIns
const readCount = isNightly ? 20 : 5

it('rejects sign-ins that exceed the queue, and serves reads without waiting for them', async () => {
  const server = await startUnlimitedServerInTempDir({ HASH: 'real' })
  onTestFinished(async () => {
    // Not SIGTERM: the remaining hashes would take long.
  })
  const reader = await createSignedInClient(server.url)
  const before = await server.residentMegabytes()
  const responses: TestResponse[] = []
  const withStatus = (status: number) => responses.filter((response) => response.status === status)
  const flood = Array.from({ length: signInCount }, async (_, i) => {
    responses.push(await createTestClient(server.url).signIn(`stranger-${i}@example.com`))
  })
  // The sign-ins without a response when the server is killed.
  for (const signIn of flood) signIn.catch(() => {})
  await Promise.race(flood)
  for (let i = 0; i < readCount; i++) expect((await reader.list()).status).toBe(200)
  expect(responses.length).toBeLessThan(signInCount)
  expect((await server.residentMegabytes()) - before).toBeLessThan(200)
  // Only Linux has a priority per thread.
  if (process.platform === 'linux')
    await expect.poll(() => countLowPriorityThreads(server.pid)).toBe(availableParallelism())

  await expect.poll(() => withStatus(503).length).toBeGreaterThan(0)
  for (const { body, headers } of withStatus(503)) {
    expect([body.code, headers.get('retry-after')]).toEqual(['busy', '2'])
  }
  expect(withStatus(401).length + withStatus(503).length).toBe(responses.length)
  expect(withStatus(503).length).toBeLessThanOrEqual(signInCount - maxWaitingSignIns)
})

/** Counts the threads of a process with the priority of the hashing threads. */
function countLowPriorityThreads(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  return threads.filter((id) => {
    const status = readFileSync(`/proc/${pid}/task/${id}/stat`, 'utf8')
    // After the name, which may contain spaces: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
    const nice = status.slice(status.lastIndexOf(')') + 2).split(' ')[16]
    return nice === '10'
  }).length
}
