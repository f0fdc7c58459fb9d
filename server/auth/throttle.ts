import { createHash } from 'node:crypto'
import type { ErrorCode } from '../../contract/errors.ts'
import { AppError } from '../app-error.ts'
import { toClientAddress } from '../http/client-address.ts'
import { type CounterKey, createCounter, requireAllowed } from '../http/counters.ts'
import type { SessionStorage } from '../storage/storage.ts'
import { createMutex } from '../yield-to-event-loop.ts'

export type Throttle = ReturnType<typeof createThrottle>

export interface ThrottleLimits {
  /** Failed sign-ins from one address in 15 minutes. */
  failuresPerAddress: number
  /** Failed sign-ins to one account from one address in 15 minutes. */
  failuresPerPair: number
  /** Failed sign-ins to one account in 24 hours. Beyond it, only addresses that have signed in before may try. */
  failuresPerAccount: number
  /** Sign-up requests from one address in an hour, including failed ones: each reveals whether an email is in use. */
  signUpsPerAddress: number
  /** Sign-ins that one address begins in a minute, where each sends the provider a request. */
  pushesPerAddress: number
}

/** NIST SP 800-63B-4, 3.2.2, allows at most 100 consecutive failures per account. */
export const defaultThrottleLimits: ThrottleLimits = {
  failuresPerAddress: 100,
  failuresPerPair: 10,
  failuresPerAccount: 100,
  signUpsPerAddress: 100,
  pushesPerAddress: 60,
}

const minuteSeconds = 60
const quarterHourSeconds = 15 * 60
const hourSeconds = 60 * 60
const daySeconds = 24 * hourSeconds

interface ThrottleOptions {
  /** Remembers the addresses each account has signed in from, across restarts. */
  storage: Pick<SessionStorage, 'isRemembered'>
  limits?: Partial<ThrottleLimits> | undefined
  now?: () => number
}

/**
 * Limits password guessing. Each attempt counts against the address, the account, and the pair of both. When the limit of
 * an account is reached, addresses that have signed in to it before may still try, so that attackers cannot lock the owner
 * out.
 */
export function createThrottle({ storage, now, ...options }: ThrottleOptions) {
  const limits = { ...defaultThrottleLimits, ...options.limits }
  const counterFor = (maxCount: number, windowSeconds: number) =>
    createCounter({ maxCount, windowSeconds, ...(now ? { now } : {}) })
  const addressCounter = counterFor(limits.failuresPerAddress, quarterHourSeconds)
  const pairCounter = counterFor(limits.failuresPerPair, quarterHourSeconds)
  const accountCounter = counterFor(limits.failuresPerAccount, daySeconds)
  const signUpCounter = counterFor(limits.signUpsPerAddress, hourSeconds)
  const pushCounter = counterFor(limits.pushesPerAddress, minuteSeconds)
  const runInTurn = createMutex(maxWaitingSignIns)

  return {
    /** Counts a sign-up request. Throws `too-many-requests` if the limit is reached. */
    trySignUp(ip: string) {
      countAttempt([signUpCounter, toClientAddress(ip)])(true)
    },

    /** Counts a request that a sign-in sends the provider before anybody has signed in there. Throws like `trySignUp`. */
    tryPush(ip: string) {
      countAttempt([pushCounter, toClientAddress(ip)])(true)
    },

    /** Counts an attempt that throws one of these errors as a failed sign-in from this address. */
    async tryFrom<T>(ip: string, errors: readonly ErrorCode[], attempt: () => Promise<T>): Promise<T> {
      const settle = countAttempt([addressCounter, toClientAddress(ip)])
      try {
        const result = await attempt()
        settle(false)
        return result
      } catch (error) {
        settle(error instanceof AppError && errors.includes(error.code))
        throw error
      }
    },

    /**
     * Counts the attempt before the password is verified, so that concurrent attempts are limited too. Throws
     * `too-many-requests` if a limit is reached. One of the functions of the result must be called once.
     */
    async trySignIn(ip: string, emailKey: string) {
      const address = toClientAddress(ip)
      const pair = toPair(address, emailKey)
      const addressHash = hashPair(pair)
      const addressKey: CounterKey = [addressCounter, address]
      const pairKey: CounterKey = [pairCounter, pair]
      requireAllowed(addressKey, pairKey)
      const isAccountLimited = accountCounter.getWaitSeconds(emailKey) > 0
      const isKnownAddress = isAccountLimited && (await storage.isRemembered(addressHash))
      requireAllowed(addressKey, pairKey)
      const settleAccount = isKnownAddress
        ? countAttempt(pairKey)
        : countAttempt(pairKey, [accountCounter, emailKey])
      const settleAddress = countAttempt(addressKey)
      const settle = (isCounted: boolean, isCountedForAddress = isCounted) => {
        settleAccount(isCounted)
        settleAddress(isCountedForAddress)
      }
      return {
        /** Identifies the address and account in the storage. */
        addressHash,
        recordFailure: () => settle(true),
        /** Uncounts the attempt and all earlier failures of this pair. */
        recordSuccess() {
          settle(false)
          pairCounter.reset(pair)
        },
        /** The password was not verified because too many others were waiting. Counts for the address only. */
        recordBusy: () => settle(false, true),
        /** Uncounts the attempt, because the password could not be verified. */
        refund: () => settle(false),
      }
    },

    /** Identifies the address and account in the storage. */
    hashAddress: (ip: string, emailKey: string) => hashPair(toPair(toClientAddress(ip), emailKey)),

    /** Runs sign-ins to one account from one address in turn: concurrent right ones must not reach the limit. */
    inTurn: <T>(ip: string, emailKey: string, signIn: () => Promise<T>) =>
      runInTurn(hashPair(toPair(toClientAddress(ip), emailKey)), signIn),
  }
}

/** How many sign-ins may wait for one pair of account and address. */
const maxWaitingSignIns = 100

/** Increments all counters, or throws and increments none. Returns a function that confirms or undoes it. */
function countAttempt(...counts: CounterKey[]) {
  requireAllowed(...counts)
  const settleAll = counts.map(([counter, key]) => counter.increment(key))
  return (isCounted: boolean) => {
    for (const settle of settleAll) settle(isCounted)
  }
}

const toPair = (address: string, emailKey: string) => `${address} ${emailKey}`

/** Keeps addresses out of the database in plain text. Someone with the database can still try all IP addresses. */
function hashPair(pair: string): string {
  return createHash('sha256').update(pair).digest('base64url')
}
