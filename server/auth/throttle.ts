import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { Refusal } from '../app-error.ts'
import type { SessionStorage } from '../storage/storage.ts'
import { type Counters, createCounters } from './counters.ts'

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

const quarter = 15 * 60
const hour = 60 * 60
const day = 24 * hour

export interface ThrottleParts {
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
export function createThrottle({ storage, limits = defaultThrottleLimits, now }: ThrottleParts) {
  const counters = (points: number, seconds: number) =>
    createCounters({ points, seconds, ...(now ? { now } : {}) })
  const addresses = counters(limits.failuresPerAddress, quarter)
  const pairs = counters(limits.failuresPerPair, quarter)
  const accounts = counters(limits.failuresPerAccount, day)
  const signUps = counters(limits.signUpsPerAddress, hour)

  return {
    signUp(ip: string) {
      take([[signUps, placeOf(ip)]])
    },

    /**
     * Takes a try before the password is looked at, so that many at once are counted too. Answers what to tell when it
     * was no wrong guess, and where it came from, as the storage remembers it.
     */
    async trySignIn(ip: string, emailKey: string) {
      const place = placeOf(ip)
      const pair = `${place} ${emailKey}`
      const from = hashOf(pair)
      const own: Count[] = [
        [addresses, place],
        [pairs, pair],
      ]
      requireLeft(own)
      const isBarred = accounts.wait(emailKey) > 0
      const isAtHome = isBarred && (await storage.isRemembered(from))
      const giveBack = take(isAtHome ? own : [...own, [accounts, emailKey]])
      return {
        from,
        /** Nobody has looked at the password. */
        giveBack,
        wasRight() {
          giveBack()
          pairs.forget(pair)
        },
      }
    },
  }
}

type Count = [counters: Counters, key: string]

/** Refuses where one has no points left. */
function requireLeft(counts: Count[]) {
  const retryAfter = Math.max(...counts.map(([counters, key]) => counters.wait(key)))
  if (retryAfter > 0) throw new Refusal('too-many-requests', { retryAfter })
}

/** Counts once for each, or for none and refuses, where one has no points left. Answers how to take it back. */
function take(counts: Count[]) {
  requireLeft(counts)
  for (const [counters, key] of counts) counters.take(key)
  return () => {
    for (const [counters, key] of counts) counters.giveBack(key)
  }
}

/** It keeps an address from standing in the register; whoever has the register can try all addresses there are. */
function hashOf(pair: string): string {
  return createHash('sha256').update(pair).digest('base64url')
}

/** Whoever has an IPv6 address has all of its /64. */
function placeOf(ip: string): string {
  if (!isIPv6(ip) || ip.startsWith('::ffff:')) return ip
  const [head = '', tail = ''] = ip.split('::')
  const [front, back] = [head, tail].map((part) => (part ? part.split(':') : []))
  const zeros = Array(Math.max(0, 8 - (front?.length ?? 0) - (back?.length ?? 0))).fill('0')
  return [...(front ?? []), ...zeros, ...(back ?? [])].slice(0, 4).join(':')
}
