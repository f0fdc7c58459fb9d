import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { expect, it } from 'vitest'
import { createFolder } from '../support/cleanup.ts'
import { residentMegabytes, startUnlimitedServer } from '../support/faults/unlimited-server.ts'
import type { TestResponse } from '../support/http-client.ts'

const maxWaitingSignIns = 100
const maxSignIns = maxWaitingSignIns + availableParallelism()
const signInCount = 2 * maxSignIns

it('rejects sign-ins that exceed the queue, and serves reads without waiting for them', async () => {
  const folder = createFolder()
  const earlier = await startUnlimitedServer({ DATA_DIR: folder })
  const { cookie } = await earlier.signIn()
  await earlier.kill('SIGTERM')
  const server = await startUnlimitedServer({ DATA_DIR: folder, HASH: 'endless' })
  const before = residentMegabytes(server)
  const responses: TestResponse[] = []
  for (let i = 0; i < signInCount; i++)
    server
      .connect()
      .signIn(`stranger-${i}@example.com`)
      .then((response) => responses.push(response))
      // Those without a response when the server is killed.
      .catch(() => {})
  await expect.poll(() => responses.length).toBe(signInCount - maxSignIns)
  for (const { status, body, headers } of responses) {
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'busy', '2'])
  }
  expect(await server.connect(cookie).documents()).toEqual([])
  expect(residentMegabytes(server) - before).toBeLessThan(200)
  // Only Linux has a priority per thread.
  if (process.platform === 'linux')
    await expect.poll(() => countLowPriorityThreads(server.pid)).toBe(availableParallelism())
  // The others are still waiting.
  expect(responses).toHaveLength(signInCount - maxSignIns)
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
