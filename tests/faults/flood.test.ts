import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { expect, it, onTestFinished } from 'vitest'
import { startUnlimited } from '../support/faults/unlimited-server.ts'
import { type Answer, createClient, signedIn } from '../support/http-client.ts'

const waiting = 100
const signIns = 4 * waiting
const reads = 20

it('security: more sign-ins than are waited for are refused, and whoever reads waits for none of them', async () => {
  const server = await startUnlimited({ HASH: 'real' })
  onTestFinished(async () => {
    // What it still has to hash would take its time.
    await server.kill('SIGKILL')
    server.removeFolder()
  })
  const reader = await signedIn(server.url)
  const before = await server.residentMegabytes()
  const answers: Answer[] = []
  const answered = (status: number) => answers.filter((answer) => answer.status === status)
  const flood = Array.from({ length: signIns }, async (_, i) => {
    const answer = await createClient(server.url).signIn(`stranger-${i}@example.com`)
    answers.push(answer)
  })
  // Those that are not answered before the end.
  for (const signIn of flood) signIn.catch(() => {})
  await Promise.race(flood)
  for (let i = 0; i < reads; i++) expect((await reader.list()).status).toBe(200)
  expect(answered(401).length).toBeLessThan(waiting / 2)
  expect((await server.residentMegabytes()) - before).toBeLessThan(200)
  // Linux alone has a priority for each thread, and tells it.
  if (process.platform === 'linux') expect(lowThreadsOf(server.pid)).toBe(availableParallelism())

  await expect.poll(() => answered(503).length).toBeGreaterThan(0)
  for (const { body, headers } of answered(503)) {
    expect([body.code, headers.get('retry-after')]).toEqual(['busy', '2'])
  }
  expect(answered(401).length + answered(503).length).toBe(answers.length)
  expect(answered(503).length).toBeLessThanOrEqual(signIns - waiting)
})

/** How many threads of a process are as polite as those that hash. */
function lowThreadsOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  return threads.filter((id) => {
    const status = readFileSync(`/proc/${pid}/task/${id}/stat`, 'utf8')
    // Behind the name, which may hold blanks: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
    const nice = status.slice(status.lastIndexOf(')') + 2).split(' ')[16]
    return nice === '10'
  }).length
}
