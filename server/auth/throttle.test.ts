import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { paths } from '../../contract/protocol.ts'
import { password } from '../../tests/support/http-client.ts'
import { provideServer } from '../../tests/support/provide-server.ts'
import { startTestServer } from '../../tests/support/server.ts'
import { createCounter } from '../http/counters.ts'
import { StorageError } from '../storage/storage.ts'
import { createThrottle, defaultThrottleLimits } from './throttle.ts'

const limits = { ...defaultThrottleLimits, failuresPerPair: 3, failuresPerAccount: 6, failuresPerAddress: 20 }
const noKnownAddresses = { isRemembered: () => false }

/** Counts per key and window, in the plainest way. */
function createModel(maxCount: number, windowMs: number) {
  const counts = new Map<string, { since: number; count: number }>()
  const find = (key: string, now: number) => {
    const found = counts.get(key)
    return found && now < found.since + windowMs ? found : { since: now, count: 0 }
  }
  return {
    isFull: (key: string, now: number) => find(key, now).count >= maxCount,
    add(key: string, now: number) {
      const { since, count } = find(key, now)
      counts.set(key, { since, count: count + 1 })
    },
    clear: (key: string) => counts.delete(key),
  }
}

describe('security: the sign-in throttle', () => {
  it('counts concurrent attempts while the address is being looked up', async () => {
    const throttle = createThrottle({ storage: { isRemembered: async () => true }, limits })
    for (let i = 0; i < 6; i++) await throttle.trySignIn(`1.1.1.${i}`, 'ada')
    const tries = Array.from({ length: 5 }, () => throttle.trySignIn('9.9.9.9', 'ada'))
    const statuses = (await Promise.allSettled(tries)).map(({ status }) => status)
    expect(statuses.sort()).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'])
  })

  it('limits the number of keys it stores, and keeps no trace of undone attempts', () => {
    const counters = createCounter({ maxCount: 1, windowSeconds: 60, maxKeys: 10 })
    for (let i = 0; i < 1000; i++) counters.increment(`key${i}`)
    expect(counters.size()).toBeLessThanOrEqual(10)
    const undone = createCounter({ maxCount: 3, windowSeconds: 900 })
    for (let i = 0; i < 100; i++) undone.increment(`${i}`)(false)
    expect(undone.size()).toBe(0)
  })

  it('limits the memory of its keys, however long they are', { tags: 'large' }, () => {
    setFlagsFromString('--expose-gc')
    const collectGarbage = runInNewContext('gc')
    const counters = createCounter({ maxCount: 10, windowSeconds: 900 })
    collectGarbage()
    const before = process.memoryUsage().heapUsed
    const longText = '\ufb2c'.repeat(990).normalize('NFC')
    for (let i = 0; i < 100_000; i++) counters.increment(`${i} ${longText}`)(true)
    collectGarbage()
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(30_000_000)
    expect(counters.size()).toBeGreaterThan(90_000)
  })

  it('forgets keys at their limit only after all others', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 300 }), { maxLength: 1000 }), (keys) => {
        const counter = createCounter({ maxCount: 3, windowSeconds: 900, maxKeys: 50, now: () => 0 })
        const limited = new Set<number>()
        for (const key of keys) {
          if (counter.getWaitSeconds(`${key}`) === 0) counter.increment(`${key}`)(true)
          if (counter.getWaitSeconds(`${key}`) > 0) limited.add(key)
          expect(counter.size()).toBeLessThanOrEqual(50)
          const isFree = (key: number) => counter.getWaitSeconds(`${key}`) !== 900
          if (limited.size <= 45) expect([...limited].filter(isFree)).toEqual([])
        }
      }),
    )
  })

  it('counts amounts in a window that begins with the first', () => {
    let now = 0
    const counter = createCounter({ maxCount: 10, windowSeconds: 60, now: () => now })
    counter.increment('a', 6)(true)
    now = 50_000
    counter.increment('a', 6)(true)
    expect([counter.getWaitSeconds('a'), counter.getWaitSeconds('b')]).toEqual([10, 0])
    now = 60_000
    expect(counter.getWaitSeconds('a')).toBe(0)
  })

  it('asks to wait a second while counted attempts are not yet decided, and for the window afterwards', async () => {
    const throttle = createThrottle({ storage: noKnownAddresses, limits, now: () => 0 })
    const attempts = await Promise.all([1, 2, 3].map(() => throttle.trySignIn('1.1.1.1', 'ada')))
    const refusal = () => throttle.trySignIn('1.1.1.1', 'ada').catch(({ details }) => details)
    expect(await refusal()).toEqual({ retryAfterSeconds: 1 })
    for (const { recordFailure } of attempts) recordFailure()
    expect(await refusal()).toEqual({ retryAfterSeconds: 900 })
  })

  it('holds the documented limits for any sequence of attempts, and refuses nothing else', async () => {
    const minuteMs = 60_000
    const step = fc.record({
      ip: fc.constantFrom('1.1.1.1', '2.2.2.2', '2001:db8::1', '2001:db8::2', '::ffff:1.1.1.1'),
      account: fc.constantFrom('ada', 'grace', 'alan', 'unknown'),
      outcome: fc.constantFrom('wrong', 'wrong', 'wrong', 'right', 'busy', 'failed'),
      minutes: fc.constantFrom(0, 0, 0, 0, 1, 14, 60 * 24),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 120 }), async (steps) => {
        let now = 0
        const known = new Set<string>()
        const throttle = createThrottle({
          storage: { isRemembered: (hash) => known.has(hash) },
          limits: { ...limits, failuresPerAddress: 8, failuresPerAccount: 5 },
          now: () => now,
        })
        const addresses = createModel(8, 15 * minuteMs)
        const pairs = createModel(3, 15 * minuteMs)
        const accounts = createModel(5, 24 * 60 * minuteMs)
        for (const { ip, account, outcome, minutes } of steps) {
          now += minutes * minuteMs
          const address = ip === '2001:db8::2' ? '2001:db8::1' : ip.replace('::ffff:', '')
          const pair = `${address} ${account}`
          const isExempt = known.has(pair)
          const isAllowed =
            !addresses.isFull(address, now) &&
            !pairs.isFull(pair, now) &&
            (isExempt || !accounts.isFull(account, now))
          const attempt = await throttle.trySignIn(ip, account).catch(() => undefined)
          expect(attempt !== undefined).toBe(isAllowed)
          if (!attempt) continue
          const isExempted = accounts.isFull(account, now)
          if (outcome === 'wrong') {
            attempt.recordFailure()
            addresses.add(address, now)
            pairs.add(pair, now)
            if (!isExempted) accounts.add(account, now)
          } else if (outcome === 'right') {
            attempt.recordSuccess()
            pairs.clear(pair)
            known.add(attempt.addressHash).add(pair)
          } else if (outcome === 'busy') {
            attempt.recordBusy()
            addresses.add(address, now)
          } else attempt.refund()
        }
      }),
      { numRuns: 300 },
    )
  })

  it('remembers the addresses an account has signed in from across restarts', async () => {
    const server = await startTestServer({
      throttleLimits: { ...limits, failuresPerAccount: 3 },
      trustProxy: ['loopback'],
    })
    const email = 'ada@example.com'
    await server.connect().signUp(email)
    const signInFrom = async (from: string, password: string) => {
      const client = server.connect()
      const headers = { 'x-forwarded-for': from }
      return (await client.post(paths.session, { email, password }, headers)).status
    }
    expect(await signInFrom('9.9.9.9', password)).toBe(200)
    await server.restart()
    for (const from of ['1.1.1.1', '2.2.2.2', '3.3.3.3']) {
      expect(await signInFrom(from, 'a wrong guess')).toBe(401)
    }
    expect([await signInFrom('4.4.4.4', password), await signInFrom('9.9.9.9', password)]).toEqual([429, 200])
  })

  it.each([
    ['ignores X-Forwarded-For by default', false, 429],
    ['uses X-Forwarded-For from a trusted proxy', ['loopback'], 401],
  ] as const)('%s', async (_, trustProxy, status) => {
    const server = await startTestServer({
      throttleLimits: { ...limits, failuresPerAddress: 2 },
      trustProxy: trustProxy ? [...trustProxy] : false,
      localOnly: false,
    })
    const client = server.connect()
    const credentials = { email: 'ada@example.com', password: 'a wrong guess' }
    const guess = (from: string) => client.post(paths.session, credentials, { 'x-forwarded-for': from })
    for (const from of ['1.1.1.1', '2.2.2.2']) expect((await guess(from)).status).toBe(401)
    expect((await guess('3.3.3.3')).status).toBe(status)
  })
})

describe('security: sign-ins at once', () => {
  it('lets all in if the password is right, one after the other', async () => {
    const server = await startTestServer()
    const client = server.connect()
    await client.signUp('ada@example.com')
    const signIn = () => server.connect().signIn('ada@example.com')
    const responses = await Promise.all(Array.from({ length: 30 }, signIn))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
  })

  it('refuses an email that is too long for an account without counting it', async () => {
    const server = await startTestServer({ throttleLimits: { ...limits, failuresPerAddress: 2 } })
    const client = server.connect()
    await client.signUp('ada@example.com')
    for (let i = 0; i < 5; i++) expect((await client.signIn(`${'a'.repeat(300)}@b.c`)).status).toBe(401)
    expect((await client.signIn('ada@example.com')).status).toBe(200)
  })
})

describe('security: the throttle does not count what is not a wrong password', () => {
  const few = { failuresPerPair: 3, failuresPerAccount: 3, failuresPerAddress: 3, signUpsPerAddress: 3 }
  const server = provideServer({ throttleLimits: few }, 'test')
  const email = 'ada@example.com'

  it('does not count a password change that is refused because the new password is weak', async () => {
    const client = await server.signIn()
    for (let i = 0; i < 5; i++) {
      const { body } = await client.put(paths.password, { password, newPassword: 'password' })
      expect(body.code).toBe('weak-password')
    }
    expect((await client.signIn(email)).status).toBe(200)
  })

  it('does not count attempts that failed before the password was verified', async () => {
    const client = await server.signIn()
    const anonymous = server.connect()
    const lookup = vi.spyOn(server.storage.accounts, 'findByEmailKey')
    lookup.mockRejectedValue(new StorageError('busy', 'Too much is waiting.'))
    for (let i = 0; i < 5; i++) expect((await anonymous.signIn(email)).status).toBe(503)
    await Promise.all(Array.from({ length: 10 }, () => anonymous.signIn(email)))
    for (let i = 0; i < 5; i++) {
      const change = { password, newPassword: 'a new and good one' }
      expect((await client.put(paths.password, change)).status).toBe(503)
    }
    lookup.mockRestore()
    expect((await anonymous.signIn(email)).status).toBe(200)
  })

  it('counts every sign-up request, whatever its result', async () => {
    const client = server.connect()
    const weak = await client.signUp(email, 'password')
    expect([weak.status, (await client.signUp(email)).status]).toEqual([400, 201])
    expect([(await client.signUp(email)).status, (await client.signUp(email)).status]).toEqual([409, 429])
  })
})
