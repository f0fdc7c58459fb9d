import { Worker } from 'node:worker_threads'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { errors } from '../../contract/errors.ts'
import { paths } from '../../contract/protocol.ts'
import { password, refusal } from '../../tests/support/http-client.ts'
import { provideServer } from '../../tests/support/provide-server.ts'
import { cheapHashCost, startTestServer } from '../../tests/support/server.ts'
import type { HashCost } from './password-hash.ts'
import { createThrottle, defaultThrottleLimits } from './throttle.ts'

const maxFailures = 3
const throttleLimits = { ...defaultThrottleLimits, failuresPerPair: maxFailures }
const noKnownAddresses = { isRemembered: () => false }
const invalidLink = { code: 'invalid-link', message: errors['invalid-link'].message, field: 'invitation' }
const month = 30 * 24 * 60 * 60 * 1000

describe('security: password guessing', () => {
  // Before the server starts, because it may store a reference to the clock.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
  const server = provideServer({ throttleLimits }, 'test')

  const guess = (email: string) => server.connect().signIn(email, 'a wrong guess')

  it('costs the same work whether or not the account exists', async () => {
    await server.connect().signUp('known@example.com')
    const costs = recordHashCosts()
    for (const email of ['known@example.com', 'unknown@example.com']) {
      expect((await guess(email)).status).toBe(401)
      expect(costs.splice(0)).toEqual([cheapHashCost])
    }
  })

  it('allows no more concurrent than sequential attempts at sign-in, and in password changes', async () => {
    const client = await server.signIn('grace@example.com')
    const change = { password: 'a wrong guess', newPassword: 'a new and good one' }
    const costs = recordHashCosts()
    for (const attempt of [() => guess('ada@example.com'), () => client.put(paths.password, change)]) {
      const responses = await Promise.all(Array.from({ length: 10 }, attempt))
      const statuses = [...Array(maxFailures).fill(401), ...Array(10 - maxFailures).fill(429)]
      expect(responses.map(({ status }) => status).sort()).toEqual(statuses)
      expect(costs.splice(0)).toHaveLength(maxFailures)
    }
    const right = await client.put(paths.password, { ...change, password })
    expect(right).toMatchObject(refusal(429, 'too-many-requests'))
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('is not helped by changes of the system clock', async () => {
    for (let i = 0; i < maxFailures; i++) await guess('ada@example.com')
    for (const shift of [month, -2 * month]) {
      vi.setSystemTime(Date.now() + shift)
      const { status, headers } = await guess('ada@example.com')
      expect(status).toBe(429)
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(15 * 60)
    }
  })
})

const minute = 60_000
const hour = 60 * minute

it.each([
  ['10 failures per account and address', 10, 15 * minute, () => ['1.1.1.1', 'ada']],
  ['100 failures per address', 100, 15 * minute, (i: number) => ['1.1.1.1', `account ${i}`]],
  ['100 failures per account from anywhere', 100, 24 * hour, (i: number) => [`10.0.0.${i}`, 'ada']],
  ['100 sign-up requests per address', 100, hour, () => ['1.1.1.1']],
] as const)('security: by default %s are allowed per window', async (_, maxCount, windowMs, guessAt) => {
  let now = 0
  const throttle = createThrottle({ storage: noKnownAddresses, now: () => now })
  const guess = async (i: number) => {
    const [ip = '', account] = guessAt(i)
    if (account) (await throttle.trySignIn(ip, account)).recordFailure()
    else throttle.trySignUp(ip)
  }
  for (let i = 0; i < maxCount; i++) await guess(i)
  now += windowMs - 1
  await expect(guess(maxCount)).rejects.toThrow('Too many attempts')
  now += 1
  await expect(guess(maxCount)).resolves.toBeUndefined()
})

it('security: sign-up for invited people tells nobody without a link whether an email has an account, and costs whoever has one the same work', async () => {
  const server = await startTestServer({ signUp: 'invited' })
  const { links } = server
  const signUp = async (email: string, invitation: string) => {
    const response = await server.connect().signUp(email, password, invitation)
    return { ...response, costs: costs.splice(0) }
  }
  const costs = recordHashCosts()
  expect((await signUp('known@example.com', (await links.invite(null)).token)).status).toBe(201)
  const emails = ['known@example.com', 'unknown@example.com']
  for (const email of emails)
    expect(await signUp(email, 'guess')).toMatchObject({ status: 410, body: invalidLink, costs: [] })
  const statuses = []
  for (const email of emails) {
    const { status, costs } = await signUp(email, (await links.invite(null)).token)
    statuses.push(status)
    expect(costs).toEqual([cheapHashCost])
  }
  expect(statuses).toEqual([409, 201])
})

/** Records the cost of each hash that is posted to a worker thread from now on. */
function recordHashCosts() {
  const costs: HashCost[] = []
  const post = Worker.prototype.postMessage
  vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker, task: unknown) {
    const { hash }: { hash?: HashCost } = Object(task)
    if (hash) costs.push({ memory: hash.memory, passes: hash.passes })
    post.call(this, task)
  })
  return costs
}
