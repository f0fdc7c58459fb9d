import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { Refusal } from '../http/refusal.ts'

export type Throttle = ReturnType<typeof createThrottle>

export interface ThrottleLimits {
  /** Failed sign-ins from one address in 15 minutes. */
  failuresPerAddress: number
  /** Failed sign-ins for one account from one address in 15 minutes. */
  failuresPerAccount: number
  /** New accounts from one address in an hour. */
  signUpsPerAddress: number
}

export const defaultThrottleLimits: ThrottleLimits = {
  failuresPerAddress: 100,
  failuresPerAccount: 10,
  signUpsPerAddress: 100,
}

const quarter = 15 * 60
const hour = 60 * 60

/**
 * Slows guessing down. An account is counted together with the address the guesses come from, so that a stranger's
 * guesses never lock its owner out.
 */
export function createThrottle(limits: ThrottleLimits = defaultThrottleLimits) {
  const addresses = new RateLimiterMemory({ points: limits.failuresPerAddress, duration: quarter })
  const accounts = new RateLimiterMemory({ points: limits.failuresPerAccount, duration: quarter })
  const signUps = new RateLimiterMemory({ points: limits.signUpsPerAddress, duration: hour })
  const pair = (address: string, emailKey: string) => `${address} ${emailKey}`

  return {
    signUp: (address: string) => take(signUps, address),

    /** Takes a try before the password is looked at, so that many at once are counted too. */
    async trySignIn(address: string, emailKey: string) {
      await take(addresses, address)
      await take(accounts, pair(address, emailKey))
    },

    /** A sign-in that went through was no guess. */
    async signedIn(address: string, emailKey: string) {
      await addresses.reward(address)
      await accounts.delete(pair(address, emailKey))
    },
  }
}

async function take(limiter: RateLimiterMemory, key: string) {
  try {
    await limiter.consume(key)
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error
    throw new Refusal('too-many-requests', { retryAfter: Math.max(1, error.msBeforeNext / 1000) })
  }
}
