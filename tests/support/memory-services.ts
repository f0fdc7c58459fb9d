import {
  type Colleague,
  type IdentityPolicy,
  type InvitationInfo,
  isAccountEmail,
  type SignedIn,
  type User,
} from '../../contract/accounts.ts'
import { countChanges, decideOutcome, maxBatchSize } from '../../contract/batches.ts'
import { type EmployeeFields, findInvalidField, mergeFields } from '../../contract/employees.ts'
import { type ErrorCode, errors } from '../../contract/errors.ts'
import type { HandoverInfo, NewHandover, TakenHandover } from '../../contract/handovers.ts'
import { type DeletedEmployee, type DeletedList, minDeletion } from '../../contract/history.ts'
import type { PasskeyInfo, PasskeyList } from '../../contract/passkeys.ts'
import { findPasswordProblem } from '../../contract/predictable-text.ts'
import {
  type DocumentStore,
  type HistoryService,
  type IdentityService,
  type PasskeyService,
  type PreviousPasswordService,
  ServiceError,
  type Services,
  type SessionService,
  type TeamService,
} from '../../web/backends/ports.ts'
import type { TestClient } from './backend-client.ts'
import { createMemoryDatabase } from './memory-database.ts'

type Method = Exclude<keyof IdentityService | keyof DocumentStore, 'subscribe'>

const writeMethods: Method[] = ['add', 'update', 'remove', 'restore', 'writeBatch']

/** One browser's services, with faults that a test can switch on. Each fault lasts until the returned function is called. */
export type MemoryClient = ReturnType<typeof createClient>

/** An in-memory service. Every client that connects to it shares its accounts and records. */
export type MemoryBackend = ReturnType<typeof createMemoryBackend>

type Settings = ReturnType<typeof createSettings>

const createSettings = () => ({
  policy: { signUp: 'open' } as IdentityPolicy,
  /** The open ones, by their token. */
  invitations: new Map<string, InvitationInfo>(),
  /** The emails whose password a link sets, by its token. */
  resetLinks: new Map<string, string>(),
  /** The open links to credentials, by their token. */
  handovers: new Map<string, HandoverInfo & TakenHandover>(),
  /** The accounts that were removed; those that a colleague has removed can return. */
  removed: [] as (Colleague & { account?: Account; revision: number })[],
  /** The passkeys on the device of everyone, by their ids. */
  passkeys: new Map<string, PasskeyInfo & { account: Account }>(),
  unavailablePasskeys: undefined as PasskeyList['unavailable'] | 'no-webauthn',
  /** Why the browser makes or uses no passkey. */
  passkeyRefusal: undefined as ServiceError | undefined,
  /** While passkeys are suggested: chooses one. */
  chooseSuggested: undefined as (() => void) | undefined,
  /** What is added to the clock, in ms. */
  clockShiftMs: 0,
  /** How long deleted records are kept. */
  keptDays: 30,
})

interface Account {
  user: User
  origin: Pick<Colleague, 'invitation'>
  password: string
  sessions: Set<Session>
  resetLink?: SignedIn['resetLink']
}

interface Session {
  id: string
  account: Account
  hasEnded: boolean
}

interface Fault {
  methods: Method[]
  beforeCall?(): Promise<void>
  afterCall?(): void
}

type Database = ReturnType<typeof createMemoryDatabase>

/** What all clients share. */
interface Service {
  database: Database
  accounts: Map<string, Account>
  settings: Settings
  getTime(): number
}

export function createMemoryBackend() {
  const settings = createSettings()
  const getTime = () => Date.now() + settings.clockShiftMs
  const database = createMemoryDatabase(getTime)
  const accounts = new Map<string, Account>()
  const service = { database, accounts, settings, getTime }
  return {
    connect: async () => createClient(service),
    settings,
    /** The records as stored now, in order of creation. */
    employees: database.list,
    deleted: database.deleted,
    reports: database.reports,
    forget: database.forget,
    /** Removes an account and ends its sessions, as the operator does. */
    async removeAccount(email: string) {
      const account = accounts.get(toKey(email))
      if (account) removeAccount(service, account)
    },
    async endSessions(email: string) {
      endSessions(accounts.get(toKey(email)))
      database.notify()
    },
    stop: async () => {},
  }
}

function removeAccount({ database, accounts, settings, getTime }: Service, account: Account, by?: Account) {
  const { uid: id, email, createdAt } = account.user
  accounts.delete(toKey(email))
  endSessions(account)
  const removedAt = new Date(getTime()).toISOString()
  const removed = by ? { removedBy: by.user.email, canReturn: true as const, account } : {}
  settings.removed.push({ id, email, createdAt, removedAt, revision: database.changes.length, ...removed })
  database.notify()
}

export function serviceError(code: ErrorCode, field?: string): ServiceError {
  return new ServiceError(code, errors[code].message, { field })
}

export function offlineError(): ServiceError {
  return new ServiceError('offline', 'The server can\u2019t be reached. Check your connection.')
}

function createClient(service: Service) {
  const connection = createConnection(service.database)
  const services: Services = {
    identity: createIdentityService(service, connection),
    documents: createDocumentStore(service, connection),
  }
  return { ...services, ...connection.controls } satisfies TestClient
}

/** What a method of a service does for the signed-in account, at once. */
type ForSignedIn<S> = {
  [K in keyof S]: S[K] extends (...args: infer A) => Promise<infer R>
    ? (own: Account, ...args: A) => R
    : never
}

type Connection = ReturnType<typeof createConnection>

/** What a client's calls go through: its network, its session and the faults that a test has switched on. */
function createConnection(database: Database) {
  const faults = new Set<Fault>()
  const calls: Method[] = []

  function switchOn(fault: Fault) {
    faults.add(fault)
    return () => void faults.delete(fault)
  }

  const connection = {
    session: undefined as Session | undefined,
    isConnected: true,
    /** The revision of the last list, from which a subscription continues. */
    listedRevision: 0,
    /** Notifies the subscriber. */
    onSessionEnded: () => {},

    async call<T>(method: Method, run: () => T): Promise<T> {
      calls.push(method)
      // A caller never gets its result synchronously, and the result of one call is not an object of the database.
      await null
      const matching = [...faults].filter(({ methods }) => methods.includes(method))
      for (const fault of matching) await fault.beforeCall?.()
      if (!connection.isConnected) throw offlineError()
      const result = run()
      for (const fault of matching) fault.afterCall?.()
      return result
    },

    /** Makes methods that need a session. Faults know all of them by this name, or each by its own. */
    forSignedIn<S extends object>(shared: Method | null, methods: ForSignedIn<S>): S {
      const entries = Object.entries<(own: Account, ...args: unknown[]) => unknown>(methods)
      const call = (name: string, args: unknown[], run: (typeof entries)[0][1]) =>
        connection.call(shared ?? (name as Method), () => {
          const { session } = connection
          if (session?.hasEnded === false) return run(session.account, ...args)
          connection.onSessionEnded()
          throw serviceError('not-signed-in')
        })
      return Object.fromEntries(
        entries.map(([name, run]) => [name, (...args: unknown[]) => call(name, args, run)]),
      ) as S
    },

    controls: {
      async cutNetwork() {
        connection.isConnected = false
        database.notify()
      },
      async restoreNetwork() {
        connection.isConnected = true
        database.notify()
      },
      /** Makes calls fail before they reach the service; by default every write. */
      failCalls: (error: ServiceError, methods = writeMethods) =>
        switchOn({ methods, beforeCall: () => Promise.reject(error) }),
      /** Makes the service carry calls out while the client sees them fail as `offline`. */
      loseResponses: (methods = writeMethods) =>
        switchOn({
          methods,
          afterCall() {
            throw offlineError()
          },
        }),
      /** Keeps calls from reaching the service until they are released. */
      holdCalls(methods = writeMethods) {
        const { promise, resolve } = Promise.withResolvers<void>()
        const switchOff = switchOn({ methods, beforeCall: () => promise })
        return () => {
          switchOff()
          resolve()
        }
      },
      /** How often a method has been called. */
      countCalls: (method: Method) => calls.filter((called) => called === method).length,
      /** Ends this client's session on the service, as an expired cookie does. Without `isNoticed`, the next call finds out. */
      endSession({ isNoticed = true } = {}) {
        if (connection.session) connection.session.hasEnded = true
        if (isNoticed) database.notify()
      },
    },
  }
  return connection
}

function createIdentityService(service: Service, connection: Connection): IdentityService {
  const { database, accounts, settings } = service
  const { call, forSignedIn } = connection

  function startSession(account: Account): SignedIn {
    connection.session = { id: crypto.randomUUID(), account, hasEnded: false }
    account.sessions.add(connection.session)
    return { ...account.user, ...(account.resetLink && { resetLink: account.resetLink }) }
  }

  return {
    createAccount: (email, password, invitation) =>
      call('createAccount', () => {
        if (settings.policy.signUp === 'invited') requireInvitation(settings, invitation)
        if (settings.policy.signUp === 'closed') throw serviceError('sign-up-closed')
        if (!isAccountEmail(email)) throw serviceError('invalid-email')
        requireStrongPassword(password)
        if (accounts.has(toKey(email))) throw serviceError('account-exists')
        const { invitedBy: by = '', email: invited } = settings.invitations.get(invitation ?? '') ?? {}
        const origin = by ? { invitation: { by, anyEmail: invited === undefined } } : {}
        settings.invitations.delete(invitation ?? '')
        const user = { uid: crypto.randomUUID(), email: email.trim(), createdAt: new Date().toISOString() }
        accounts.set(toKey(email), { user, password, origin, sessions: new Set() })
        return { ...user }
      }),

    signIn: (email, password) =>
      call('signIn', () => {
        const account = accounts.get(toKey(email))
        const removed = settings.removed.find((each) => each.account?.user.email === email)
        if (removed?.account?.password === password) throw serviceError('account-removed')
        if (account?.password !== password) throw serviceError('invalid-credentials')
        return startSession(account as Account)
      }),

    signOut: () =>
      call('signOut', () => {
        if (connection.session) connection.session.hasEnded = true
        database.notify()
      }),

    ...forSignedIn<Pick<IdentityService, 'changePassword'>>(null, {
      changePassword(own, password, newPassword) {
        requirePassword(own, password)
        requireStrongPassword(newPassword, 'newPassword')
        own.password = newPassword
        endSessions(own)
        startSession(own)
        database.notify()
      },
    }),

    policy: () => call('policy', () => settings.policy),
    team: createTeamService(service, connection),
    passkeys: createPasskeyService(settings, connection, startSession),
    sessions: createSessionService(database, connection),
  }
}

/** As long as those of the other backends. */
const newToken = () => (crypto.randomUUID() + crypto.randomUUID()).slice(0, 43)

function requireInvitation({ invitations }: Settings, token = ''): InvitationInfo {
  const invitation = invitations.get(token)
  if (!invitation) throw serviceError(token ? 'invalid-link' : 'sign-up-closed')
  return invitation
}

const inDays = (days: number) => new Date(Date.now() + days * 24 * 60 * 60_000).toISOString()

function createTeamService(service: Service, { call, forSignedIn }: Connection): TeamService {
  const { database, accounts, settings } = service
  const { invitations, resetLinks, handovers } = settings
  const findOther = (own: Account, id: string) => {
    const other = [...accounts.values()].find(({ user }) => user.uid === id && own.user.uid !== id)
    if (!other) throw serviceError('not-found')
    return other
  }
  const findReset = (token: string) => {
    const account = accounts.get(toKey(resetLinks.get(token) ?? ''))
    if (!account) throw serviceError('invalid-link')
    return account
  }
  function addHandover({ user: { email: by } }: Account, { record, sealed }: NewHandover, sheet?: string) {
    const [id, token] = [crypto.randomUUID(), newToken()]
    const info = { id, record, by, createdAt: inDays(0), expiresAt: inDays(7) }
    handovers.set(token, { ...info, sealed, ...(sheet && { sheet }) })
    return { id, token }
  }
  function removeWhere<Link>(links: Map<string, Link>, isRemoved: (link: Link) => boolean) {
    for (const [token, link] of links) if (isRemoved(link)) links.delete(token)
  }

  return {
    checkInvitation: (token) =>
      call('team', () => {
        const { email } = requireInvitation(settings, token)
        return email === undefined ? {} : { email }
      }),
    checkPasswordReset: (token) => call('team', () => ({ email: findReset(token).user.email })),
    resetPassword: (token, newPassword) =>
      call('team', () => {
        const account = findReset(token)
        requireStrongPassword(newPassword, 'newPassword')
        account.password = newPassword
        resetLinks.delete(token)
        endSessions(account)
        database.notify()
      }),
    takeHandover: (token) =>
      call('team', () => {
        const { sealed, by } = handovers.get(token) ?? {}
        if (!handovers.delete(token) || !sealed || !by) throw serviceError('invalid-link')
        return { sealed, by }
      }),

    ...forSignedIn<
      Omit<TeamService, 'checkInvitation' | 'checkPasswordReset' | 'resetPassword' | 'takeHandover'>
    >('team', {
      createInvitation({ user }, email) {
        const [id, token] = [crypto.randomUUID(), newToken()]
        const info = { id, invitedBy: user.email, expiresAt: inDays(7), ...(email ? { email } : {}) }
        invitations.set(token, info)
        return { ...info, token }
      },
      listInvitations: () => [...invitations.values()],
      revokeInvitation: (_, id) => removeWhere(invitations, (invitation) => invitation.id === id),
      listColleagues: () => [
        ...[...accounts.values()].map(({ user: { uid: id, email, createdAt }, origin, sessions }) => {
          const seen = sessions.size > 0 ? { lastSeenAt: createdAt } : {}
          return { ...origin, id, email, createdAt, ...seen }
        }),
        ...settings.removed.map(({ account: _, revision: __, ...colleague }) => colleague),
      ],
      removeColleague(own, id, password) {
        requirePassword(own, password)
        removeAccount(service, findOther(own, id), own)
      },
      letIn(_, id) {
        const { account } = settings.removed.find((each) => each.id === id) ?? {}
        if (!account) throw serviceError('not-found')
        settings.removed = settings.removed.filter((each) => each.id !== id)
        accounts.set(toKey(account.user.email), account)
      },
      createPasswordReset(own, id, password) {
        requirePassword(own, password)
        const account = findOther(own, id)
        const [token, at] = [newToken(), new Date().toISOString()]
        account.resetLink = { by: own.user.email, at }
        resetLinks.set(token, account.user.email)
        return { token, expiresAt: at }
      },
      createHandover: addHandover,
      listHandovers: () => [...handovers.values()].map(({ sealed: _, ...handover }) => handover),
      revokeHandover: (_, id) => removeWhere(handovers, (handover) => handover.id === id),
      createSheet(own, created) {
        const id = crypto.randomUUID()
        const tokens = created.map((each) => addHandover(own, each, id).token)
        return { id, expiresAt: inDays(7), tokens }
      },
      /** At most one, of which no link was opened. */
      listSheets() {
        const links = [...handovers.values()].filter(({ sheet }) => sheet)
        return links
          .slice(0, 1)
          .map((link) => ({ ...link, id: link.sheet ?? '', open: links.length, opened: 0 }))
      },
      revokeSheet: (_, id) => removeWhere(handovers, ({ sheet }) => sheet === id),
    }),
  }
}

function createPasskeyService(
  settings: Settings,
  { call, forSignedIn }: Connection,
  startSession: (account: Account) => SignedIn,
): PasskeyService {
  const { passkeys } = settings
  const requireConsent = () => {
    if (settings.passkeyRefusal) throw settings.passkeyRefusal
  }
  return {
    ...forSignedIn<Omit<PasskeyService, 'choose'>>('passkeys', {
      list(own) {
        const found = [...passkeys.values()].filter(({ account }) => account === own)
        const { unavailablePasskeys: unavailable } = settings
        return {
          passkeys: found.map(({ account: _, ...passkey }) => passkey),
          ...(unavailable && { unavailable }),
        }
      },
      create(own, name, password) {
        requirePassword(own, password)
        requireConsent()
        const [id, createdAt] = [crypto.randomUUID(), '2026-05-03T12:00:00.000Z']
        passkeys.set(id, { id, name, createdAt, isBackedUp: true, account: own })
      },
      remove: (_, id) => void passkeys.delete(id),
    }),
    async choose({ inDialog, signal, onOffered }) {
      await call('passkeys', () => {
        if (settings.unavailablePasskeys) throw serviceError('passkeys-unavailable')
      })
      onOffered()
      if (!inDialog) {
        const { promise, resolve } = Promise.withResolvers<void>()
        settings.chooseSuggested = resolve
        signal.addEventListener('abort', () => resolve())
        await promise
        settings.chooseSuggested = undefined
      }
      if (signal.aborted) throw new ServiceError('cancelled', 'Cancelled.')
      requireConsent()
      const [chosen] = passkeys.values()
      return () =>
        call('signIn', () => {
          const passkey = passkeys.get(chosen?.id ?? '')
          if (!passkey) throw new ServiceError('invalid-credentials', 'This passkey isn’t accepted any more.')
          passkey.lastUsedAt = new Date().toISOString()
          return startSession(passkey.account)
        })
    },
  }
}

function createSessionService(database: Database, connection: Connection): SessionService {
  const live = ({ sessions }: Account) => [...sessions].filter(({ hasEnded }) => !hasEnded)
  function endWhere(account: Account, mustEnd: (session: Session) => boolean) {
    for (const session of live(account)) if (mustEnd(session)) session.hasEnded = true
    database.notify()
  }
  return connection.forSignedIn<SessionService>('sessions', {
    list: (own) =>
      live(own).map((session) => ({
        id: session.id,
        createdAt: '2026-11-03T14:05:00.000Z',
        lastSeenAt: inDays(-5),
        ...(session === connection.session
          ? { current: true, browser: 'Firefox on Linux' }
          : { current: false }),
      })),
    end: (own, id) => endWhere(own, (session) => session.id === id),
    endOthers: (own) => endWhere(own, (session) => session !== connection.session),
  })
}

function createDocumentStore(service: Service, connection: Connection): DocumentStore {
  const { database } = service
  return {
    ...connection.forSignedIn<
      Omit<DocumentStore, 'subscribe' | 'usedPercent' | 'history' | 'previousPasswords'>
    >(null, {
      list() {
        connection.listedRevision = database.changes.length
        return database.list()
      },
      add({ user: { uid, email } }, fields, key) {
        requireValid(fields)
        return database.addOnce(`${uid} ${key}`, [fields], email)[0] ?? ''
      },
      update({ user: { email } }, id, fields, seen) {
        requireValid(fields)
        const current = database.get(id)
        if (!current) throw serviceError('not-found')
        const merged = seen ? mergeFields(current, seen, fields) : { fields, conflicts: [] }
        if (merged.conflicts.length > 0) throw serviceError('conflict')
        database.save(id, merged.fields, email)
        return merged.fields
      },
      remove: ({ user: { email } }, id) => database.remove(id, email),
      restore({ user: { email } }, { id, ...fields }) {
        requireValid(fields)
        const existing = database.get(id)
        if (existing && decideOutcome(existing, existing, fields) !== 'done') throw serviceError('id-in-use')
        return database.save(id, fields, email)
      },
      writeBatch({ user: { uid, email } }, batch, key, { signal, onProgress } = {}) {
        if (signal?.aborted) throw new ServiceError('cancelled', 'Cancelled.')
        if (countChanges(batch) > maxBatchSize) throw serviceError('too-large')
        for (const [i, fields] of batch.add.entries()) requireValid(fields, `add/${i}/`)
        for (const [i, { fields }] of batch.update.entries()) requireValid(fields, `update/${i}/fields/`)
        const result = database.apply(`${uid} ${key}`, batch, email)
        onProgress?.(1)
        return result
      },
    }),
    subscribe: (listener) => subscribe(database, connection, listener),
    history: createHistoryService(service, connection),
    previousPasswords: connection.forSignedIn<PreviousPasswordService>('previousPasswords', {
      list: (_, id) => database.previousPasswords(id).map(({ password: _, ...previous }) => previous),
      read(_, id, key) {
        const { password } = database.previousPasswords(id).find((previous) => previous.key === key) ?? {}
        if (password === undefined) throw serviceError('no-longer-kept')
        return { password }
      },
    }),
  }
}

function createHistoryService(
  { database, accounts, settings }: Service,
  connection: Connection,
): HistoryService {
  const allIds = () => database.list().map(({ id }) => id)
  return connection.forSignedIn<HistoryService>('history', {
    details: (_, ids = allIds()) => database.details(ids),
    listOldPasswords: (_, until) =>
      database
        .details(allIds())
        .flatMap(({ id, passwordChangedAt = '9' }) => (passwordChangedAt <= until ? [id] : [])),
    listEvents(_, id) {
      const events = database.events.get(id)
      if (!events) throw serviceError('not-found')
      return events
    },
    listDeleted() {
      const { keptDays } = settings
      const documents = keptDays > 0 ? database.deleted() : []
      return { documents, total: documents.length, keptDays, deletions: toDeletions(documents) }
    },
    restoreDeleted({ user: { email } }, id) {
      const deleted = database.deleted().find((document) => document.id === id)
      if (deleted) database.save(id, deleted, email)
      else if (!database.get(id)) throw serviceError('not-found')
    },
    restoreDeletion({ user: { email } }, { since, until, by }) {
      for (const { deletedAt, deletedBy, ...deleted } of database.deleted())
        if (deletedBy === by && deletedAt >= since && deletedAt <= until)
          database.save(deleted.id, deleted, email)
    },
    listExposed(_, accountId) {
      if ([...accounts.values()].some(({ user }) => user.uid === accountId))
        return { ids: allIds(), canSignIn: true }
      const { revision } = settings.removed.find(({ id }) => id === accountId) ?? {}
      if (revision === undefined) throw serviceError('not-found')
      return { ids: allIds().filter((id) => database.hadPassword(id, revision)), canSignIn: false }
    },
    report: ({ user }, report) => database.report(report, user.email),
  })
}

/** Everything that somebody has deleted is one deletion. */
function toDeletions(documents: DeletedEmployee[]): DeletedList['deletions'] {
  const byPerson = Map.groupBy(documents.toReversed(), ({ deletedBy }) => deletedBy)
  return [...byPerson].flatMap(([by, deleted]) => {
    const [since = '', until = ''] = [deleted[0]?.deletedAt, deleted.at(-1)?.deletedAt]
    return deleted.length >= minDeletion
      ? [{ count: deleted.length, since, until, ...(by ? { by } : {}) }]
      : []
  })
}

const subscribe = (
  database: Database,
  connection: Connection,
  listener: Parameters<DocumentStore['subscribe']>[0],
) => {
  let revision = connection.listedRevision
  let wasConnected: boolean | undefined
  const stop = () => void database.listeners.delete(deliver)

  function deliver() {
    if (!database.listeners.has(deliver)) return
    if (connection.isConnected !== wasConnected) {
      wasConnected = connection.isConnected
      listener.onConnectionChange(wasConnected)
    }
    if (!wasConnected) return
    if (connection.session?.hasEnded !== false) return connection.onSessionEnded()
    const missed = database.changes.slice(revision)
    revision = database.changes.length
    if (missed.length > 0) listener.onChanges(missed)
  }

  connection.onSessionEnded = () => {
    if (database.listeners.delete(deliver)) listener.onSessionEnded()
  }
  database.listeners.add(deliver)
  queueMicrotask(deliver)
  return stop
}

const toKey = (email: string) => email.trim().toLowerCase()

function endSessions(account: Account | undefined): void {
  for (const session of account?.sessions ?? []) session.hasEnded = true
}

function requirePassword(own: Account, password: string): void {
  if (own.password !== password) throw serviceError('invalid-credentials', 'password')
}

function requireStrongPassword(password: string, field?: string): void {
  const problem = findPasswordProblem(password)
  if (problem) throw new ServiceError('weak-password', problem, { field })
}

function requireValid(fields: EmployeeFields, prefix = ''): void {
  const field = findInvalidField(fields)
  if (field) throw serviceError('invalid-request', prefix + field)
}
