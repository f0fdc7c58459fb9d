import { createHash, randomBytes } from 'node:crypto'
import type { SessionInfo } from '../../contract/accounts.ts'
import type { Account, Found, Session, SessionStorage } from '../storage/storage.ts'
import { createRecent } from './session-cache.ts'

export type Sessions = ReturnType<typeof createSessions>

const day = 24 * 60 * 60 * 1000

/** Milliseconds. */
export const sessionLimits = {
  /** Without a request, after which a session ends. */
  idle: 7 * day,
  /** After which a session ends in any case. */
  absolute: 30 * day,
}

/** How exactly the last request's time is kept; a write with each request would cost more than the request. */
const touchEvery = 5 * 60 * 1000

export interface SessionParts {
  storage: SessionStorage
  /** Milliseconds since 1970. */
  now?: () => number
}

export function createSessions({ storage, now = Date.now }: SessionParts) {
  const listeners = new Set<(hashes: string[]) => void>()
  const recent = createRecent<Found>()
  /** Raised whenever sessions end: what was looked up before is then no longer to be remembered. */
  let endings = 0

  function forget() {
    recent.clear()
    endings++
  }

  function tell(hashes: string[]) {
    forget()
    if (hashes.length > 0) for (const listener of listeners) listener(hashes)
    return hashes
  }

  const isLive = ({ session }: Found, at = now()) =>
    at - session.createdAt < sessionLimits.absolute && at - session.lastSeenAt < sessionLimits.idle

  const wasSeenLately = ({ session }: Found, at = now()) => at - session.lastSeenAt <= touchEvery

  /** A session created before the first moment, or last seen before the second, is over. */
  const expiry = () => [now() - sessionLimits.absolute, now() - sessionLimits.idle] as const

  /** Nobody waits for this, and a disk that refuses it must not refuse a read. */
  function touch({ session, account }: Found): Found {
    const lastSeenAt = now()
    storage.touch(session.hash, lastSeenAt).catch(() => {})
    return { account, session: { ...session, lastSeenAt } }
  }

  async function end(hashes: string[]) {
    return tell(await storage.end(hashes))
  }

  async function beginWith(token: string, { uid, passwordHash }: Account, from: string) {
    const at = now()
    const session = { hash: hashOf(token), uid, createdAt: at, lastSeenAt: at }
    return (await storage.add(session, passwordHash, from)) ? token : undefined
  }

  async function endAll(uid: string, keep?: string) {
    return tell(await storage.endAll(uid, keep))
  }

  return {
    /**
     * Begins a session and answers its token, which is kept nowhere else; nothing where the account has been given
     * another password since it was looked up, or is gone. `from` is a hash of where it begins.
     */
    begin: (account: Account, from: string) => beginWith(newToken(), account, from),

    /** Begins a session, as `begin` does, in the place of all that the account has. */
    async beginAnew(account: Account, from: string) {
      const token = newToken()
      const [begun] = await Promise.all([beginWith(token, account, from), endAll(account.uid, hashOf(token))])
      return begun
    },

    /** The live session of a token that was found a moment ago and needs no touch; else nothing, and `find` is asked. */
    known(token: string | undefined): Found | undefined {
      const found = token ? recent.get(token) : undefined
      const at = now()
      return found && isLive(found, at) && wasSeenLately(found, at) ? found : undefined
    },

    /** The live session of a token. One that was found to be over is deleted, so that no clock revives it. */
    async find(token: string | undefined): Promise<Found | undefined> {
      if (!token) return
      const recently = recent.get(token)
      const before = endings
      const found = recently && isLive(recently) ? recently : await storage.find(hashOf(token))
      if (!found) return
      if (!isLive(found)) {
        await end([found.session.hash])
        return
      }
      const seen = wasSeenLately(found) ? found : touch(found)
      if (seen !== recently && endings === before) recent.set(token, seen)
      return seen
    },

    end,

    /** Ends the session of a token, where there is one. */
    async endToken(token: string | undefined) {
      if (token) await end([hashOf(token)])
    },

    async listFor({ uid, hash }: Session): Promise<SessionInfo[]> {
      const all = await storage.listOf(uid)
      return all.map((session) => ({
        createdAt: new Date(session.createdAt).toISOString(),
        lastSeenAt: new Date(session.lastSeenAt).toISOString(),
        current: session.hash === hash,
      }))
    },

    /** Ends every session of an account. */
    endAll: (uid: string) => endAll(uid),

    async endExpired() {
      return tell(await storage.endExpired(...expiry()))
    },

    /** The given sessions that are there no more, or are over: someone else may have ended them. */
    async endedAmong(hashes: string[]): Promise<string[]> {
      if (hashes.length === 0) return []
      const ended = await storage.endedAmong(hashes, ...expiry())
      if (ended.length > 0) forget()
      return ended
    },

    /** The listener hears the hashes of sessions that have ended. */
    onEnded(listener: (hashes: string[]) => void) {
      listeners.add(listener)
    },
  }
}

function newToken(): string {
  return randomBytes(32).toString('base64url')
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
