import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { AppError } from '../app-error.ts'
import type { SessionStorage } from '../storage/storage.ts'
import { type Counter, createCounter } from './counters.ts'

export type Throttle = ReturnType<typeof createThrottle>

export interface ThrottleLimits {
  /** Failed sign-ins from one address in 15 minutes. */
  failuresPerAddress: number
  /** Failed sign-ins for one account from one address in 15 minutes. */
  failuresPerPair: number
  /** Failed sign-ins for one account in a day; beyond, it is tried alone from where it was signed in before. */
  failuresPerAccount: number
  /** Tries at a new account from one address in an hour, whatever came of them: each tells whether an email is taken. */
  signUpsPerAddress: number
}

/** NIST SP 800-63B-4, 3.2.2 allows at most 100 failures in a row for an account. */
export const defaultThrottleLimits: ThrottleLimits = {
  failuresPerAddress: 100,
  failuresPerPair: 10,
  failuresPerAccount: 100,
  signUpsPerAddress: 100,
}

const quarterHourSeconds = 15 * 60
const hourSeconds = 60 * 60
const daySeconds = 24 * hourSeconds

export interface ThrottleOptions {
  /** Knows where accounts were signed in from, whatever this process remembers. */
  storage: Pick<SessionStorage, 'isRemembered'>
  limits?: ThrottleLimits | undefined
  now?: () => number
}

/**
 * Slows guessing down. A guess counts against the address it comes from, and against the account: there, together with
 * the address, and alone. An account that was guessed at too often is still open to where it was signed in before, so a
 * stranger's guesses never lock the owner out there.
 */
export function createThrottle({ storage, limits = defaultThrottleLimits, now }: ThrottleOptions) {
  const counterFor = (maxCount: number, windowSeconds: number) =>
    createCounter({ maxCount, windowSeconds, ...(now ? { now } : {}) })
  const addressCounter = counterFor(limits.failuresPerAddress, quarterHourSeconds)
  const pairCounter = counterFor(limits.failuresPerPair, quarterHourSeconds)
  const accountCounter = counterFor(limits.failuresPerAccount, daySeconds)
  const signUpCounter = counterFor(limits.signUpsPerAddress, hourSeconds)

  return {
    trySignUp(ip: string) {
      countAttempt([[signUpCounter, addressPrefix(ip)]])
    },

    /**
     * Takes a try before the password is looked at, so that many at once are counted too. Answers what to tell when it
     * was no wrong guess, and where it came from, as the storage remembers it.
     */
    async trySignIn(ip: string, emailKey: string) {
      const address = addressPrefix(ip)
      const pair = `${address} ${emailKey}`
      const addressHash = hashPair(pair)
      const addressCounts: CounterKey[] = [
        [addressCounter, address],
        [pairCounter, pair],
      ]
      requireAllowed(addressCounts)
      const isAccountLimited = accountCounter.getWaitSeconds(emailKey) > 0
      const isKnownAddress = isAccountLimited && (await storage.isRemembered(addressHash))
      const refund = countAttempt(
        isKnownAddress ? addressCounts : [...addressCounts, [accountCounter, emailKey]],
      )
      return {
        from: addressHash,
        /** Nobody has looked at the password. */
        giveBack: refund,
        recordSuccess() {
          refund()
          pairCounter.reset(pair)
        },
      }
    },
  }
}

type CounterKey = [counters: Counter, key: string]

/** Refuses where one has no points left. */
function requireAllowed(counts: CounterKey[]) {
  const retryAfterSeconds = Math.max(...counts.map(([counter, key]) => counter.getWaitSeconds(key)))
  if (retryAfterSeconds > 0) throw new AppError('too-many-requests', { retryAfterSeconds })
}

/** Counts once for each, or for none and refuses, where one has no points left. Answers how to take it back. */
function countAttempt(counts: CounterKey[]) {
  requireAllowed(counts)
  for (const [counter, key] of counts) counter.increment(key)
  return () => {
    for (const [counter, key] of counts) counter.decrement(key)
  }
}

/** It keeps an address from standing in the register; whoever has the register can try all addresses there are. */
function hashPair(pair: string): string {
  return createHash('sha256').update(pair).digest('base64url')
}

/** Whoever has an IPv6 address has all of its /64. */
function addressPrefix(ip: string): string {
  if (!isIPv6(ip) || ip.startsWith('::ffff:')) return ip
  const [head = '', tail = ''] = ip.split('::')
  const [front, back] = [head, tail].map((part) => (part ? part.split(':') : []))
  const zeros = Array(Math.max(0, 8 - (front?.length ?? 0) - (back?.length ?? 0))).fill('0')
  return [...(front ?? []), ...zeros, ...(back ?? [])].slice(0, 4).join(':')
}
