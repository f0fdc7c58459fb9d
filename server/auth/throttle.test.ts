import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { paths } from '../../contract/protocol.ts'
import { createSignedInClient, createTestClient, password } from '../../tests/support/http-client.ts'
import { startTestServer, type TestServer } from '../../tests/support/server.ts'
import { StorageError } from '../storage/storage.ts'
import { createCounter } from './counters.ts'
import { createThrottle, defaultThrottleLimits, type Throttle } from './throttle.ts'

const limits = { ...defaultThrottleLimits, failuresPerPair: 3, failuresPerAccount: 6, failuresPerAddress: 20 }
const noKnownAddresses = { isRemembered: () => false }
const guessRepeatedly = async (throttle: Throttle, ip: string, account: string, times: number) => {
  for (let i = 0; i < times; i++) await throttle.trySignIn(ip, account)
}

describe('security: the sign-in throttle', () => {
  it('limits failures per account and address', async () => {
    const throttle = createThrottle({ storage: noKnownAddresses, limits })
    await guessRepeatedly(throttle, '1.1.1.1', 'ada', 3)
    await expect(throttle.trySignIn('1.1.1.1', 'ada')).rejects.toThrow('Too many attempts')
    await expect(throttle.trySignIn('1.1.1.1', 'grace')).resolves.toBeDefined()
    await expect(throttle.trySignIn('2.2.2.2', 'ada')).resolves.toBeDefined()
  })

  it('limits failures per address across accounts', async () => {
    const throttle = createThrottle({ storage: noKnownAddresses, limits })
    for (let i = 0; i < 20; i++) await throttle.trySignIn('1.1.1.1', `account${i}`)
    await expect(throttle.trySignIn('1.1.1.1', 'another')).rejects.toThrow('Too many attempts')
  })

  it('limits failures per account across addresses, except from addresses that have signed in before', async () => {
    const knownAddressHashes = new Set<string>()
    const throttle = createThrottle({
      storage: { isRemembered: (hash) => knownAddressHashes.has(hash) },
      limits,
      now: () => 0,
    })
    const home = await throttle.trySignIn('9.9.9.9', 'ada')
    home.recordSuccess()
    knownAddressHashes.add(home.addressHash)
    for (let i = 0; i < 6; i++) await throttle.trySignIn(`1.1.1.${i}`, 'ada')
    await expect(throttle.trySignIn('1.1.1.100', 'ada')).rejects.toThrow('Too many attempts')
    await guessRepeatedly(throttle, '9.9.9.9', 'ada', 3)
    await expect(throttle.trySignIn('9.9.9.9', 'ada')).rejects.toMatchObject({
      details: { retryAfterSeconds: 15 * 60 },
    })
  })

  it('counts concurrent attempts while the address is being looked up', async () => {
    const throttle = createThrottle({ storage: { isRemembered: async () => true }, limits })
    for (let i = 0; i < 6; i++) await throttle.trySignIn(`1.1.1.${i}`, 'ada')
    const tries = Array.from({ length: 5 }, () => throttle.trySignIn('9.9.9.9', 'ada'))
    const statuses = (await Promise.allSettled(tries)).map(({ status }) => status)
    expect(statuses.sort()).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'])
  })

  it('counts an IPv6 /64 network as one address', async () => {
    const throttle = createThrottle({ storage: noKnownAddresses, limits })
    for (let i = 0; i < 3; i++) await throttle.trySignIn(`2001:db8:0:1::${i}`, 'ada')
    await expect(throttle.trySignIn('2001:db8:0:1:ffff::1', 'ada')).rejects.toThrow('Too many attempts')
    await expect(throttle.trySignIn('2001:db8:0:2::1', 'ada')).resolves.toBeDefined()
  })

  it('allows attempts again after the window, measured by a monotonic clock', async () => {
    let now = 0
    const throttle = createThrottle({ storage: noKnownAddresses, limits, now: () => now })
    await guessRepeatedly(throttle, '1.1.1.1', 'ada', 3)
    now += 15 * 60 * 1000 - 1
    await expect(throttle.trySignIn('1.1.1.1', 'ada')).rejects.toThrow('Too many attempts')
    now += 1
    await expect(throttle.trySignIn('1.1.1.1', 'ada')).resolves.toBeDefined()
  })

  it('does not count successful sign-ins', async () => {
    const throttle = createThrottle({ storage: noKnownAddresses, limits })
    for (let i = 0; i < 50; i++) (await throttle.trySignIn('1.1.1.1', 'ada')).recordSuccess()
    await guessRepeatedly(throttle, '1.1.1.1', 'ada', 3)
    await expect(throttle.trySignIn('1.1.1.1', 'ada')).rejects.toThrow('Too many attempts')
  })

  it('does not count refused or refunded attempts', async () => {
    const throttle = createThrottle({ storage: noKnownAddresses, limits })
    await guessRepeatedly(throttle, '1.1.1.1', 'ada', 3)
    for (let i = 0; i < 50; i++)
      await expect(throttle.trySignIn('1.1.1.1', 'ada')).rejects.toThrow('Too many attempts')
    for (let i = 0; i < 50; i++) (await throttle.trySignIn('1.1.1.1', 'grace')).refund()
    for (let i = 0; i < 17; i++) await throttle.trySignIn('1.1.1.1', `account${i}`)
    await expect(throttle.trySignIn('1.1.1.1', 'another')).rejects.toThrow('Too many attempts')
    await guessRepeatedly(throttle, '2.2.2.2', 'ada', 3)
    await expect(throttle.trySignIn('3.3.3.3', 'ada')).rejects.toThrow('Too many attempts')
  })

  it('limits the number of keys it stores', () => {
    const counters = createCounter({ maxCount: 1, windowSeconds: 60, maxKeys: 10 })
    for (let i = 0; i < 1000; i++) counters.increment(`key${i}`)
    expect(counters.size()).toBeLessThanOrEqual(11)
  })

  it('remembers the addresses an account has signed in from across restarts', async () => {
    const server = await startTestServer({
      throttleLimits: { ...limits, failuresPerAccount: 3 },
      trustProxy: ['loopback'],
    })
    const email = 'ada@example.com'
    await createTestClient(server.url).signUp(email)
    const signInFrom = async (from: string, password: string) => {
      const headers = { 'x-forwarded-for': from }
      return (await createTestClient(server.url).call('POST', paths.session, { email, password }, headers))
        .status
    }
    expect(await signInFrom('9.9.9.9', password)).toBe(200)
    await server.restart()
    for (const from of ['1.1.1.1', '2.2.2.2', '3.3.3.3']) {
      expect(await signInFrom(from, 'a wrong guess')).toBe(401)
    }
    expect([await signInFrom('4.4.4.4', password), await signInFrom('9.9.9.9', password)]).toEqual([429, 200])
    await server.stop()
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
    const client = createTestClient(server.url)
    const credentials = { email: 'ada@example.com', password: 'a wrong guess' }
    const guess = (from: string) =>
      client.call('POST', paths.session, credentials, { 'x-forwarded-for': from })
    for (const from of ['1.1.1.1', '2.2.2.2']) expect((await guess(from)).status).toBe(401)
    expect((await guess('3.3.3.3')).status).toBe(status)
    await server.stop()
  })
})

describe('security: the throttle does not count what is not a wrong password', () => {
  let server: TestServer
  const few = { ...defaultThrottleLimits, failuresPerPair: 3, failuresPerAccount: 3, failuresPerAddress: 3 }
  const email = 'ada@example.com'

  beforeEach(async () => {
    server = await startTestServer({ throttleLimits: { ...few, signUpsPerAddress: 3 } })
  })
  afterEach(() => server.stop())

  it('does not count a password change that is refused because the new password is weak', async () => {
    const client = await createSignedInClient(server.url)
    for (let i = 0; i < 5; i++) {
      const { body } = await client.call('PUT', paths.password, { password, newPassword: 'password' })
      expect(body.code).toBe('weak-password')
    }
    expect((await client.signIn(email)).status).toBe(200)
  })

  it('does not count attempts that failed before the password was verified', async () => {
    const client = await createSignedInClient(server.url)
    const anonymous = createTestClient(server.url)
    const lookup = vi.spyOn(server.storage.accounts, 'findByEmailKey')
    lookup.mockRejectedValue(new StorageError('busy', 'Too much is waiting.'))
    for (let i = 0; i < 5; i++) expect((await anonymous.signIn(email)).status).toBe(503)
    await Promise.all(Array.from({ length: 10 }, () => anonymous.signIn(email)))
    for (let i = 0; i < 5; i++) {
      const change = { password, newPassword: 'a new and good one' }
      expect((await client.call('PUT', paths.password, change)).status).toBe(503)
    }
    lookup.mockRestore()
    expect((await anonymous.signIn(email)).status).toBe(200)
  })

  it('counts concurrent wrong passwords in password changes', async () => {
    const client = await createSignedInClient(server.url)
    const guess = { password: 'a wrong guess', newPassword: 'a new and good one' }
    const guesses = Array.from({ length: 5 }, () => client.call('PUT', paths.password, guess))
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([401, 401, 401, 429, 429])
  })

  it('counts every sign-up request, whatever its result', async () => {
    const client = createTestClient(server.url)
    const weak = await client.call('POST', paths.accounts, { email, password: 'password' })
    expect([weak.status, (await client.signUp(email)).status]).toEqual([400, 201])
    expect([(await client.signUp(email)).status, (await client.signUp(email)).status]).toEqual([409, 429])
  })
})
