import { createHash, randomBytes } from 'node:crypto'
import type { SessionInfo } from '../../contract/accounts.ts'
import { nameBrowser } from '../../contract/identity/browser-name.ts'
import { toResponse } from '../http/json-body.ts'
import {
  type Account,
  type AuthenticatedSession,
  type Session,
  type SessionStorage,
  toPublicId,
} from '../storage/storage.ts'

const dayMs = 24 * 60 * 60 * 1000

export const sessionLimits = {
  /** A session expires after this long without a request. */
  idleTtlMs: 7 * dayMs,
  /** A session expires this long after sign-in, or earlier: see SESSION_DAYS. */
  absoluteTtlMs: 30 * dayMs,
  /** A sign-in beyond this number ends the session of the account that was unused for longest. */
  maxPerAccount: 100,
}

/** Precision of the stored time of the last request. Storing it with each request would cost more than the request. */
const touchIntervalMs = 5 * 60 * 1000

/** Upper bound for how long a session that the command line ended remains usable. */
const cacheTtlMs = 1000
const maxCached = 10_000

interface SessionsOptions {
  storage: SessionStorage
  now?: () => number
  maxDays?: number | undefined
}

/**
 * Creates, finds and ends sessions. Lookups are cached, so a session ended by the command line may be found for 1 s; not in a
 * shared storage: what one server has ended, the others refuse at once.
 */
export class Sessions {
  readonly #storage: SessionStorage
  readonly #now: () => number
  /** A session expires so long after sign-in. */
  readonly ttlMs: number
  /** Sessions by token, for `cacheTtlMs`. */
  readonly #cached = new Map<string, AuthenticatedSession>()
  /** Counts how often sessions have ended. */
  #generation = 0
  readonly #endListeners = new Set<(hashes: string[]) => void>()

  /** `now`: milliseconds since 1970. `maxDays`: how long a session lasts at most. */
  constructor({ storage, now = Date.now, maxDays }: SessionsOptions) {
    this.#storage = storage
    this.#now = now
    this.ttlMs = maxDays === undefined ? sessionLimits.absoluteTtlMs : maxDays * dayMs
  }

  /**
   * Creates a session and returns its token, which is stored nowhere. Returns undefined if the password was changed or the
   * account deleted since `account` was read. `addressHash` identifies the address that signs in, `userAgent` is its header.
   */
  async create(account: Account, addressHash: string, userAgent?: string): Promise<string | undefined> {
    const { token, session } = this.issue(account.uid, userAgent)
    if (!(await this.#storage.add(session, account.passwordHash, addressHash))) return
    await this.endSurplus(session)
    return token
  }

  /** Returns a new token and its session, which the caller stores. */
  issue(uid: string, userAgent?: string): { token: string; session: Session } {
    const { token, hash } = createToken()
    const now = this.#now()
    return { token, session: { hash, uid, createdAt: now, lastSeenAt: now, browser: nameBrowser(userAgent) } }
  }

  /** Call when a sign-in has stored a session. */
  async endSurplus({ uid, hash }: Session): Promise<void> {
    const others = (await this.#storage.listByAccount(uid)).filter((other) => other.hash !== hash)
    const latestFirst = others.sort((a, b) => b.lastSeenAt - a.lastSeenAt)
    const surplus = latestFirst.slice(sessionLimits.maxPerAccount - 1)
    if (surplus.length > 0) await this.end(surplus.map(({ hash }) => hash))
  }

  /** Returns the live session of a token if it is cached and no touch is due. Otherwise call `find`. */
  findCached(token: string | undefined): AuthenticatedSession | undefined {
    const cached = token ? this.#cached.get(token) : undefined
    const now = this.#now()
    return cached && this.#isLive(cached, now) && wasRecentlySeen(cached, now) ? cached : undefined
  }

  /** Returns the live session of a token. An expired session is deleted, so that setting the clock back cannot revive it. */
  async find(token: string | undefined): Promise<AuthenticatedSession | undefined> {
    if (!token) return
    const cached = this.#cached.get(token)
    const generation = this.#generation
    const found =
      cached && this.#isLive(cached, this.#now()) ? cached : await this.#storage.find(hashToken(token))
    if (!found) return
    if (!this.#isLive(found, this.#now())) {
      // On a full disk, the sweep deletes it later.
      await this.end([found.session.hash]).catch(() => {})
      return
    }
    const current = wasRecentlySeen(found, this.#now()) ? found : this.#touch(found)
    // Sessions that ended during the lookup must not be cached.
    if (current !== cached && generation === this.#generation) this.#cache(token, current)
    return current
  }

  #cache(token: string, session: AuthenticatedSession): void {
    // Another server may end it.
    if (this.#storage.isShared) return
    if (this.#cached.size >= maxCached) this.#cached.clear()
    if (this.#cached.size === 0) setTimeout(() => this.#cached.clear(), cacheTtlMs).unref()
    this.#cached.set(token, session)
  }

  /** Does not wait for the write: reads must succeed even if the disk is full. */
  #touch({ session, ...rest }: AuthenticatedSession): AuthenticatedSession {
    const lastSeenAt = this.#now()
    this.#storage.touch(session.hash, lastSeenAt).catch(() => {})
    return { ...rest, session: { ...session, lastSeenAt } }
  }

  async listFor({ uid, hash }: Session): Promise<SessionInfo[]> {
    const all = await this.#storage.listByAccount(uid)
    return all.map(({ hash: other, createdAt, lastSeenAt, browser }) =>
      toResponse({ id: toPublicId(other), createdAt, lastSeenAt, browser, current: other === hash }),
    )
  }

  /** `by`: the account whose owner ends them. */
  async end(hashes: string[], by?: string): Promise<void> {
    this.handleEnded(await this.#storage.end(hashes, by))
  }

  async endToken(token: string | undefined): Promise<void> {
    if (token) await this.end([hashToken(token)])
  }

  /** `id` is the public one. Returns the hash of the session, undefined if the account has none with it. */
  async endById(uid: string, id: string): Promise<string | undefined> {
    const found = (await this.#storage.listByAccount(uid)).find(({ hash }) => toPublicId(hash) === id)
    if (found) await this.end([found.hash], uid)
    return found?.hash
  }

  async endOthers({ uid, hash }: Session): Promise<void> {
    const all = await this.#storage.listByAccount(uid)
    await this.end(
      all.map((session) => session.hash).filter((other) => other !== hash),
      uid,
    )
  }

  async endAll(uid: string): Promise<void> {
    this.handleEnded(await this.#storage.endAll(uid, uid))
  }

  async endExpired(): Promise<void> {
    this.handleEnded(await this.#storage.endExpired(...this.#expiryCutoffs()))
  }

  /** Returns those of the given sessions that have expired or were ended, for example by another process. */
  async findEnded(hashes: string[]): Promise<string[]> {
    if (hashes.length === 0) return []
    const ended = await this.#storage.findEnded(hashes, ...this.#expiryCutoffs())
    if (ended.length > 0) this.handleEnded([])
    return ended
  }

  /** The listener gets the hashes of sessions that this process has ended. */
  onEnded(listener: (hashes: string[]) => void): void {
    this.#endListeners.add(listener)
  }

  /** Call when sessions have been ended in the storage. */
  handleEnded(hashes: string[]): void {
    this.#cached.clear()
    this.#generation++
    if (hashes.length > 0) for (const listener of this.#endListeners) listener(hashes)
  }

  /** A session created before the first time, or last seen before the second, is expired. */
  #expiryCutoffs(): [createdAt: number, lastSeenAt: number] {
    return [this.#now() - this.ttlMs, this.#now() - sessionLimits.idleTtlMs]
  }

  #isLive({ session }: AuthenticatedSession, now: number): boolean {
    return now - session.createdAt < this.ttlMs && now - session.lastSeenAt < sessionLimits.idleTtlMs
  }
}

function wasRecentlySeen({ session }: AuthenticatedSession, now: number): boolean {
  return now - session.lastSeenAt <= touchIntervalMs
}

/** Creates the token of a session or a one-time link, and the hash that is stored instead of it. */
export function createToken() {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: hashToken(token) }
}

export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
