import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { expect, it, onTestFinished } from 'vitest'
import { startUnlimitedServerInTempDir } from '../support/faults/unlimited-server.ts'
import { createSignedInClient, createTestClient, type TestResponse } from '../support/http-client.ts'

const maxWaitingSignIns = 100
const signInCount = 4 * maxWaitingSignIns
const readCount = 20

it('security: more sign-ins than are waited for are refused, and whoever reads waits for none of them', async () => {
  const server = await startUnlimitedServerInTempDir({ HASH: 'real' })
  onTestFinished(async () => {
    // What it still has to hash would take its time.
    await server.kill('SIGKILL')
    server.removeFolder()
  })
  const reader = await createSignedInClient(server.url)
  const before = await server.residentMegabytes()
  const answers: TestResponse[] = []
  const answersWithStatus = (status: number) => answers.filter((answer) => answer.status === status)
  const flood = Array.from({ length: signInCount }, async (_, i) => {
    const answer = await createTestClient(server.url).signIn(`stranger-${i}@example.com`)
    answers.push(answer)
  })
  // Those that are not answered before the end.
  for (const signIn of flood) signIn.catch(() => {})
  await Promise.race(flood)
  for (let i = 0; i < readCount; i++) expect((await reader.list()).status).toBe(200)
  expect(answersWithStatus(401).length).toBeLessThan(maxWaitingSignIns / 2)
  expect((await server.residentMegabytes()) - before).toBeLessThan(200)
  // Linux alone has a priority for each thread, and tells it.
  if (process.platform === 'linux') expect(countLowPriorityThreads(server.pid)).toBe(availableParallelism())

  await expect.poll(() => answersWithStatus(503).length).toBeGreaterThan(0)
  for (const { body, headers } of answersWithStatus(503)) {
    expect([body.code, headers.get('retry-after')]).toEqual(['busy', '2'])
  }
  expect(answersWithStatus(401).length + answersWithStatus(503).length).toBe(answers.length)
  expect(answersWithStatus(503).length).toBeLessThanOrEqual(signInCount - maxWaitingSignIns)
})

/** How many threads of a process are as polite as those that hash. */
function countLowPriorityThreads(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  return threads.filter((id) => {
    const status = readFileSync(`/proc/${pid}/task/${id}/stat`, 'utf8')
    // Behind the name, which may hold blanks: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
    const nice = status.slice(status.lastIndexOf(')') + 2).split(' ')[16]
    return nice === '10'
  }).length
}
