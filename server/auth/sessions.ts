import { createHash, randomBytes } from 'node:crypto'
import type { SessionInfo } from '../../contract/accounts.ts'
import type { Account, AuthenticatedSession, Session, SessionStorage } from '../storage/storage.ts'
import { createSessionCache } from './session-cache.ts'

export type Sessions = ReturnType<typeof createSessions>

const dayMs = 24 * 60 * 60 * 1000

/** Milliseconds. */
export const sessionLimits = {
  /** Without a request, after which a session ends. */
  idleTtlMs: 7 * dayMs,
  /** After which a session ends in any case. */
  absoluteTtlMs: 30 * dayMs,
}

/** How exactly the last request's time is kept; a write with each request would cost more than the request. */
const touchIntervalMs = 5 * 60 * 1000

export interface SessionsOptions {
  storage: SessionStorage
  /** Milliseconds since 1970. */
  now?: () => number
}

export function createSessions({ storage, now = Date.now }: SessionsOptions) {
  const listeners = new Set<(hashes: string[]) => void>()
  const cache = createSessionCache<AuthenticatedSession>()
  /** Raised whenever sessions end: what was looked up before is then no longer to be remembered. */
  let endCount = 0

  function clearCache() {
    cache.clear()
    endCount++
  }

  function notifyEnded(hashes: string[]) {
    clearCache()
    if (hashes.length > 0) for (const listener of listeners) listener(hashes)
    return hashes
  }

  const isLive = ({ session }: AuthenticatedSession, nowMs = now()) =>
    nowMs - session.createdAt < sessionLimits.absoluteTtlMs &&
    nowMs - session.lastSeenAt < sessionLimits.idleTtlMs

  const wasRecentlySeen = ({ session }: AuthenticatedSession, nowMs = now()) =>
    nowMs - session.lastSeenAt <= touchIntervalMs

  /** A session created before the first moment, or last seen before the second, is over. */
  const getExpiryCutoffs = () =>
    [now() - sessionLimits.absoluteTtlMs, now() - sessionLimits.idleTtlMs] as const

  /** Nobody waits for this, and a disk that refuses it must not refuse a read. */
  function touch({ session, account }: AuthenticatedSession): AuthenticatedSession {
    const lastSeenAt = now()
    storage.touch(session.hash, lastSeenAt).catch(() => {})
    return { account, session: { ...session, lastSeenAt } }
  }

  async function end(hashes: string[]) {
    return notifyEnded(await storage.end(hashes))
  }

  async function storeSession(token: string, { uid, passwordHash }: Account, addressHash: string) {
    const nowMs = now()
    const session = { hash: hashToken(token), uid, createdAt: nowMs, lastSeenAt: nowMs }
    return (await storage.add(session, passwordHash, addressHash)) ? token : undefined
  }

  async function endAll(uid: string, keep?: string) {
    return notifyEnded(await storage.endAll(uid, keep))
  }

  return {
    /**
     * Begins a session and answers its token, which is kept nowhere else; nothing where the account has been given
     * another password since it was looked up, or is gone. `from` is a hash of where it begins.
     */
    create: (account: Account, addressHash: string) => storeSession(createToken(), account, addressHash),

    /** Begins a session, as `begin` does, in the place of all that the account has. */
    async replaceAll(account: Account, addressHash: string) {
      const token = createToken()
      const [storedToken] = await Promise.all([
        storeSession(token, account, addressHash),
        endAll(account.uid, hashToken(token)),
      ])
      return storedToken
    },

    /** The live session of a token that was found a moment ago and needs no touch; else nothing, and `find` is asked. */
    findCached(token: string | undefined): AuthenticatedSession | undefined {
      const found = token ? cache.get(token) : undefined
      const nowMs = now()
      return found && isLive(found, nowMs) && wasRecentlySeen(found, nowMs) ? found : undefined
    },

    /** The live session of a token. One that was found to be over is deleted, so that no clock revives it. */
    async find(token: string | undefined): Promise<AuthenticatedSession | undefined> {
      if (!token) return
      const cached = cache.get(token)
      const endCountBefore = endCount
      const found = cached && isLive(cached) ? cached : await storage.find(hashToken(token))
      if (!found) return
      if (!isLive(found)) {
        await end([found.session.hash])
        return
      }
      const current = wasRecentlySeen(found) ? found : touch(found)
      if (current !== cached && endCount === endCountBefore) cache.set(token, current)
      return current
    },

    end,

    /** Ends the session of a token, where there is one. */
    async endToken(token: string | undefined) {
      if (token) await end([hashToken(token)])
    },

    async listFor({ uid, hash }: Session): Promise<SessionInfo[]> {
      const all = await storage.listByAccount(uid)
      return all.map((session) => ({
        createdAt: new Date(session.createdAt).toISOString(),
        lastSeenAt: new Date(session.lastSeenAt).toISOString(),
        current: session.hash === hash,
      }))
    },

    /** Ends every session of an account. */
    endAll: (uid: string) => endAll(uid),

    async endExpired() {
      return notifyEnded(await storage.endExpired(...getExpiryCutoffs()))
    },

    /** The given sessions that are there no more, or are over: someone else may have ended them. */
    async endedAmong(hashes: string[]): Promise<string[]> {
      if (hashes.length === 0) return []
      const ended = await storage.findEnded(hashes, ...getExpiryCutoffs())
      if (ended.length > 0) clearCache()
      return ended
    },

    /** The listener hears the hashes of sessions that have ended. */
    onEnded(listener: (hashes: string[]) => void) {
      listeners.add(listener)
    },
  }
}

function createToken(): string {
  return randomBytes(32).toString('base64url')
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
