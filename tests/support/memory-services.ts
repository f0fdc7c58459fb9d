import {
  type Colleague,
  type IdentityPolicy,
  type InvitationInfo,
  isAccountEmail,
  type SignedIn,
  type User,
} from '../../contract/accounts.ts'
import {
  type Batch,
  type BatchResult,
  countChanges,
  decideOutcome,
  maxBatchSize,
} from '../../contract/batches.ts'
import { type Employee, type EmployeeFields, findInvalidField, pickFields } from '../../contract/employees.ts'
import { type ErrorCode, errors } from '../../contract/errors.ts'
import type { HandoverInfo, NewHandover, TakenHandover } from '../../contract/handovers.ts'
import { type DeletedEmployee, type DeletedList, minDeletion } from '../../contract/history.ts'
import { mergeFields } from '../../contract/merge-fields.ts'
import type { PasskeyInfo, PasskeyList } from '../../contract/passkeys.ts'
import { findPasswordProblem } from '../../contract/predictable-text.ts'
import type { Change } from '../../contract/protocol.ts'
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
import { createMemoryHistory } from './memory-history.ts'

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
  removed: [] as (Colleague & { account?: Account })[],
  /** The passkeys on the device of everyone, by their ids. */
  passkeys: new Map<string, PasskeyInfo & { account: Account }>(),
  unavailablePasskeys: undefined as PasskeyList['unavailable'] | 'no-webauthn',
  /** Why the browser makes or uses no passkey. */
  passkeyRefusal: undefined as ServiceError | undefined,
  /** While passkeys are suggested: chooses one. */
  chooseSuggested: undefined as (() => void) | undefined,
  /** What is added to the clock, in ms. */
  clockShiftMs: 0,
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

type Database = ReturnType<typeof createDatabase>

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
  const database = createDatabase(getTime)
  const accounts = new Map<string, Account>()
  const service = { database, accounts, settings, getTime }
  return {
    connect: async () => createClient(service),
    settings,
    /** The records as stored now, in order of creation. */
    employees: database.list,
    /** What the service remembers of the records. */
    history: database.history,
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
  database.history.recordAccountRemoval(id)
  const removed = by ? { removedBy: by.user.email, canReturn: true as const, account } : {}
  settings.removed.push({ id, email, createdAt, removedAt, ...removed })
  database.notify()
}

export function serviceError(code: ErrorCode, field?: string): ServiceError {
  return new ServiceError(code, errors[code].message, { field })
}

export function offlineError(): ServiceError {
  return new ServiceError('offline', 'The server can\u2019t be reached. Check your connection.')
}

/** The records, and every change since the start; a revision is the number of changes before it. */
function createDatabase(getTime: () => number) {
  const history = createMemoryHistory(getTime)
  /** Sorted by creation. A removed record stays as null, so that it can be restored in its position. */
  const records = new Map<string, EmployeeFields | null>()
  const changes: Change[] = []
  const idsByKey = new Map<string, string[]>()
  const listeners = new Set<() => void>()

  const list = () => [...records].flatMap(([id, fields]) => (fields ? [{ id, ...fields }] : []))
  const notify = () => listeners.forEach((listener) => void queueMicrotask(listener))

  /** The id of the record before this one, or null. */
  function findPredecessor(id: string): string | null {
    let predecessor: string | null = null
    for (const [other, fields] of records) {
      if (other === id) break
      if (fields) predecessor = other
    }
    return predecessor
  }

  function save(id: string, fields: EmployeeFields, by: string): string | null {
    records.set(id, pickFields(fields))
    history.recordSave(id, fields, by)
    const after = findPredecessor(id)
    changes.push({ type: 'saved', document: { id, ...pickFields(fields) }, after })
    notify()
    return after
  }

  function remove(id: string, by: string) {
    const fields = records.get(id)
    if (!fields) return
    records.set(id, null)
    history.recordRemoval(id, fields, by)
    changes.push({ type: 'removed', id })
    notify()
  }

  /** Adds records once per key, and returns their ids every time. */
  function addOnce(key: string, employees: EmployeeFields[], by: string): string[] {
    const existingIds = idsByKey.get(key)
    if (existingIds) return existingIds
    const ids = employees.map(() => crypto.randomUUID())
    idsByKey.set(key, ids)
    for (const [i, id] of ids.entries()) save(id, employees[i] as EmployeeFields, by)
    return ids
  }

  function apply(key: string, { add, update, remove: removals }: Batch, by: string): BatchResult {
    const kept: string[] = []
    const ids = addOnce(key, add, by)
    const targets = [...update, ...removals.map((seen) => ({ seen, fields: null }))]
    for (const { seen, fields } of targets) {
      const outcome = decideOutcome(records.get(seen.id) ?? undefined, seen, fields)
      if (outcome === 'conflict') kept.push(seen.id)
      else if (outcome === 'write' && fields) save(seen.id, fields, by)
      else if (outcome === 'write') remove(seen.id, by)
    }
    return { ids, kept }
  }

  return {
    list,
    get: (id: string) => records.get(id),
    history,
    changes,
    listeners,
    notify,
    save,
    remove,
    addOnce,
    apply,
  }
}

function createClient(service: Service) {
  const { database } = service
  const connection = createConnection(database)
  const history = createHistoryService(service, connection)
  const services: Services = {
    identity: createIdentityService(service, connection),
    documents: {
      ...createWriteMethods(database, connection),
      list: () =>
        connection.callSignedIn('list', () => {
          connection.listedRevision = database.changes.length
          return database.list()
        }),
      subscribe: (listener) => subscribe(database, connection, listener),
      history,
      previousPasswords: createPreviousPasswordService(service, connection),
    },
  }
  return { ...services, ...connection.controls } satisfies TestClient
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

    callSignedIn: <T>(method: Method, run: (account: Account) => T): Promise<T> =>
      connection.call(method, () => {
        const { session } = connection
        if (!session || session.hasEnded) {
          connection.onSessionEnded()
          throw serviceError('not-signed-in')
        }
        return run(session.account)
      }),

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
  const { call, callSignedIn } = connection
  const team = createTeamService(service, connection)

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

    changePassword: (password, newPassword) =>
      callSignedIn('changePassword', (account) => {
        if (account.password !== password) throw serviceError('invalid-credentials', 'password')
        requireStrongPassword(newPassword, 'newPassword')
        account.password = newPassword
        endSessions(account)
        startSession(account)
        database.notify()
      }),

    policy: () => call('policy', () => settings.policy),
    team,
    passkeys: createPasskeyService(settings, connection, startSession),
    sessions: createSessionService(database, connection),
  }
}

function requireInvitation({ invitations }: Settings, token = ''): InvitationInfo {
  const invitation = invitations.get(token)
  if (!invitation) throw serviceError(token ? 'invalid-link' : 'sign-up-closed')
  return invitation
}

function createTeamService(service: Service, { call, callSignedIn }: Connection): TeamService {
  const { database, accounts, settings } = service
  /** Checks the caller’s password, and returns another account. */
  const findOther = (own: Account, id: string, password: string) => {
    if (own.password !== password) throw serviceError('invalid-credentials', 'password')
    const other = [...accounts.values()].find(({ user }) => user.uid === id && own.user.uid !== id)
    if (!other) throw serviceError('not-found')
    return other
  }
  const { invitations, resetLinks, handovers } = settings
  const findReset = (token: string) => {
    const account = accounts.get(toKey(resetLinks.get(token) ?? ''))
    if (!account) throw serviceError('invalid-link')
    return account
  }
  return {
    checkInvitation: (token) =>
      call('team', () => {
        const { email } = requireInvitation(settings, token)
        return email === undefined ? {} : { email }
      }),
    createInvitation: (email) =>
      callSignedIn('team', ({ user: { email: invitedBy } }) => {
        const [id, token] = [crypto.randomUUID(), crypto.randomUUID()]
        const expiresAt = new Date(Date.now() + 7 * 24 * 60 * 60_000).toISOString()
        const info = { id, invitedBy, expiresAt, ...(email ? { email } : {}) }
        invitations.set(token, info)
        return { ...info, token }
      }),
    listColleagues: () =>
      callSignedIn('team', () => {
        const colleagues = [...accounts.values()].map(
          ({ user: { uid, email, createdAt }, origin, sessions }) => ({
            ...origin,
            id: uid,
            email,
            createdAt,
            ...(sessions.size > 0 ? { lastSeenAt: createdAt } : {}),
          }),
        )
        return [...colleagues, ...settings.removed.map(({ account: _, ...colleague }) => colleague)]
      }),
    removeColleague: (id, password) =>
      callSignedIn('team', (own) => removeAccount(service, findOther(own, id, password), own)),
    letIn: (id) =>
      callSignedIn('team', () => {
        const { account } = settings.removed.find((each) => each.id === id) ?? {}
        if (!account) throw serviceError('not-found')
        settings.removed = settings.removed.filter((each) => each.id !== id)
        accounts.set(toKey(account.user.email), account)
      }),
    createPasswordReset: (id, password) =>
      callSignedIn('team', (own) => {
        const account = findOther(own, id, password)
        const [token, at] = [crypto.randomUUID(), new Date().toISOString()]
        account.resetLink = { by: own.user.email, at }
        resetLinks.set(token, account.user.email)
        return { token, expiresAt: at }
      }),
    listInvitations: () => call('team', () => [...invitations.values()]),
    revokeInvitation: (id) =>
      call('team', () => {
        for (const [token, info] of invitations) if (info.id === id) invitations.delete(token)
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
    createHandover: (handover) => callSignedIn('team', ({ user }) => addHandover(user.email, handover)),
    listHandovers: () =>
      call('team', () => [...handovers.values()].map(({ sealed: _, ...handover }) => handover)),
    revokeHandover: (id) => call('team', () => revoke((handover) => handover.id === id)),
    createSheet: (created) =>
      callSignedIn('team', ({ user }) => {
        const [id, expiresAt] = [crypto.randomUUID(), '2026-11-30T14:05:00.000Z']
        return { id, expiresAt, tokens: created.map((each) => addHandover(user.email, each, id).token) }
      }),
    /** At most one, of which no link was opened. */
    listSheets: () =>
      call('team', () => {
        const links = [...handovers.values()].filter(({ sheet }) => sheet)
        const [link] = links
        return link ? [{ ...link, id: link.sheet ?? '', open: links.length, opened: 0 }] : []
      }),
    revokeSheet: (id) => call('team', () => revoke(({ sheet }) => sheet === id)),
    takeHandover: (token) =>
      call('team', () => {
        const { sealed, by } = handovers.get(token) ?? {}
        if (!handovers.delete(token) || !sealed || !by) throw serviceError('invalid-link')
        return { sealed, by }
      }),
  }

  function addHandover(by: string, { record, sealed }: NewHandover, sheet?: string) {
    const [id, token] = [crypto.randomUUID(), (crypto.randomUUID() + crypto.randomUUID()).slice(0, 43)]
    const [createdAt, expiresAt] = [new Date().toISOString(), '2026-11-30T14:05:00.000Z']
    handovers.set(token, { id, record, by, createdAt, expiresAt, sealed, ...(sheet && { sheet }) })
    return { id, token }
  }
  function revoke(isRevoked: (handover: HandoverInfo) => boolean) {
    for (const [token, handover] of handovers) if (isRevoked(handover)) handovers.delete(token)
  }
}

function createPasskeyService(
  settings: Settings,
  { call, callSignedIn }: Connection,
  startSession: (account: Account) => SignedIn,
): PasskeyService {
  const { passkeys } = settings
  const requireConsent = () => {
    if (settings.passkeyRefusal) throw settings.passkeyRefusal
  }
  const find = (account: Account) => [...passkeys.values()].filter((passkey) => passkey.account === account)
  return {
    list: () =>
      callSignedIn('passkeys', (own) => ({
        passkeys: find(own).map(({ account: _, ...passkey }) => passkey),
        ...(settings.unavailablePasskeys ? { unavailable: settings.unavailablePasskeys } : {}),
      })),
    create: (name, password) =>
      callSignedIn('passkeys', (account) => {
        if (account.password !== password) throw serviceError('invalid-credentials', 'password')
        requireConsent()
        const [id, createdAt] = [crypto.randomUUID(), '2026-05-03T12:00:00.000Z']
        passkeys.set(id, { id, name, createdAt, isBackedUp: true, account })
      }),
    remove: (id) => callSignedIn('passkeys', () => void passkeys.delete(id)),
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

function createPreviousPasswordService(
  { database }: Service,
  { callSignedIn }: Connection,
): PreviousPasswordService {
  const find = (id: string) => database.history.previous.get(id) ?? []
  return {
    list: (id) =>
      callSignedIn('previousPasswords', () => find(id).map(({ password: _, ...previous }) => previous)),
    read: (id, key) =>
      callSignedIn('previousPasswords', () => {
        const { password } = find(id).find((previous) => previous.key === key) ?? {}
        if (password === undefined) throw serviceError('no-longer-kept')
        return { password }
      }),
  }
}

function createHistoryService(
  { database, accounts, settings }: Service,
  { callSignedIn }: Connection,
): HistoryService {
  const { history } = database
  const allIds = () => database.list().map(({ id }) => id)
  return {
    details: (ids) => callSignedIn('history', () => history.details(ids ?? allIds())),
    listOldPasswords: (until) =>
      callSignedIn('history', () =>
        history
          .details(allIds())
          .flatMap(({ id, passwordChangedAt = '9' }) => (passwordChangedAt <= until ? [id] : [])),
      ),
    listEvents: (id) =>
      callSignedIn('history', () => {
        if (!history.events.has(id)) throw serviceError('not-found')
        return history.events.get(id) ?? []
      }),
    listDeleted: () =>
      callSignedIn('history', () => {
        const documents = history.keptDays > 0 ? history.deleted() : []
        return {
          documents,
          total: documents.length,
          keptDays: history.keptDays,
          deletions: toDeletions(documents),
        }
      }),
    restoreDeleted: (id) =>
      callSignedIn('history', ({ user: { email } }) => {
        const deleted = history.deleted().find((document) => document.id === id)
        if (deleted) database.save(id, deleted, email)
        else if (!database.get(id)) throw serviceError('not-found')
      }),
    restoreDeletion: ({ since, until, by }) =>
      callSignedIn('history', ({ user: { email } }) => {
        for (const { deletedAt, deletedBy, ...deleted } of history.deleted())
          if (deletedBy === by && deletedAt >= since && deletedAt <= until)
            database.save(deleted.id, deleted, email)
      }),
    listExposed: (accountId) =>
      callSignedIn('history', () => {
        if ([...accounts.values()].some(({ user }) => user.uid === accountId))
          return { ids: allIds(), canSignIn: true }
        if (settings.removed.every(({ id }) => id !== accountId)) throw serviceError('not-found')
        return { ids: allIds().filter((id) => history.isExposed(id, accountId)), canSignIn: false }
      }),
    report: (report) => callSignedIn('history', ({ user }) => history.recordReport(report, user.email)),
  }
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

function createSessionService(database: Database, connection: Connection): SessionService {
  const { callSignedIn } = connection
  const live = ({ sessions }: Account) => [...sessions].filter(({ hasEnded }) => !hasEnded)
  const endWhere = (mustEnd: (session: Session) => boolean) =>
    callSignedIn('sessions', (account) => {
      for (const session of live(account)) if (mustEnd(session)) session.hasEnded = true
      database.notify()
    })
  return {
    list: () =>
      callSignedIn('sessions', (account) =>
        live(account).map((session) => ({
          id: session.id,
          createdAt: '2026-11-03T14:05:00.000Z',
          lastSeenAt: '2026-11-21T09:12:00.000Z',
          ...(session === connection.session
            ? { current: true, browser: 'Firefox on Linux' }
            : { current: false }),
        })),
      ),
    end: (id) => endWhere((session) => session.id === id),
    endOthers: () => endWhere((session) => session !== connection.session),
  }
}

function createWriteMethods(database: Database, { callSignedIn }: Connection) {
  return {
    add: (fields: EmployeeFields, key: string) =>
      callSignedIn('add', ({ user: { uid, email } }) => {
        requireValid(fields)
        return database.addOnce(`${uid} ${key}`, [fields], email)[0] as string
      }),

    update: (id: string, fields: EmployeeFields, seen?: EmployeeFields) =>
      callSignedIn('update', ({ user: { email } }) => {
        requireValid(fields)
        const current = database.get(id)
        if (!current) throw serviceError('not-found')
        const merged = seen ? mergeFields(current, seen, fields) : { fields, conflicts: [] }
        if (merged.conflicts.length > 0) throw serviceError('conflict')
        database.save(id, merged.fields, email)
        return merged.fields
      }),

    remove: (id: string) => callSignedIn('remove', ({ user }) => database.remove(id, user.email)),

    restore: ({ id, ...fields }: Employee) =>
      callSignedIn('restore', ({ user: { email } }) => {
        requireValid(fields)
        const existing = database.get(id)
        if (existing && decideOutcome(existing, existing, fields) !== 'done') throw serviceError('id-in-use')
        return database.save(id, fields, email)
      }),

    async writeBatch(batch, key, { signal, onProgress } = {}) {
      const result = await callSignedIn('writeBatch', ({ user: { uid, email } }) => {
        if (signal?.aborted) throw new ServiceError('cancelled', 'Cancelled.')
        if (countChanges(batch) > maxBatchSize) throw serviceError('too-large')
        for (const [i, fields] of batch.add.entries()) requireValid(fields, `add/${i}/`)
        for (const [i, { fields }] of batch.update.entries()) requireValid(fields, `update/${i}/fields/`)
        return database.apply(`${uid} ${key}`, batch, email)
      })
      onProgress?.(1)
      return result
    },
  } satisfies Partial<DocumentStore>
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

function requireStrongPassword(password: string, field?: string): void {
  const problem = findPasswordProblem(password)
  if (problem) throw new ServiceError('weak-password', problem, { field })
}

function requireValid(fields: EmployeeFields, prefix = ''): void {
  const field = findInvalidField(fields)
  if (field) throw serviceError('invalid-request', prefix + field)
}
