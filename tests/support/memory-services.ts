import { type ErrorCode, errors } from '../../contract/errors.ts'
import type { ActivityReport } from '../../contract/history.ts'
import { findPasswordProblem } from '../../contract/predictable-text.ts'
import { markLookAlikes } from '../../web/backends/mark-look-alikes.ts'
import { createMemoryBackend as createBackend } from '../../web/backends/memory/backend.ts'
import { createFurtherServices } from '../../web/backends/memory/further-services.ts'
import { addInvitation } from '../../web/backends/memory/invitations.ts'
import { addReset } from '../../web/backends/memory/team.ts'
import {
  type HistoryService,
  type PreviousPasswordService,
  ServiceError,
  type Services,
  type SessionService,
} from '../../web/backends/ports.ts'
import { createServiceError } from '../../web/backends/service-error.ts'
import type { TestClient } from './backend-client.ts'
import { createWire, wrapServices } from './memory/faults.ts'
import { type Credentials, createPasskeySettings, createPasskeys } from './memory/passkeys.ts'

export const serviceError = (code: ErrorCode, field?: string): ServiceError =>
  new ServiceError(code, errors[code].message, { field })

export const offlineError = (): ServiceError =>
  new ServiceError('offline', 'The server can\u2019t be reached. Check your connection.')

/** One browser's services, with faults that a test can switch on. Each fault lasts until the returned function is called. */
export type MemoryClient = Awaited<ReturnType<MemoryBackend['connect']>>

/** The backend in memory with a clock, a history, passkeys and networks that a test controls. */
export type MemoryBackend = ReturnType<typeof createMemoryBackend>

export function createMemoryBackend() {
  const getTime = () => Date.now() + settings.clockShiftMs
  const backend = createBackend({
    ...{ getTime, findPasswordProblem, markLookAlikes },
    connectFurther: createFurtherServices,
  })
  const { service } = backend
  const { accounts, database, links } = service
  /** Those of the backend, and of what it does not have. `clockShiftMs` is added to its clock, in ms. */
  const settings = Object.assign(service.settings, { ...createPasskeySettings(), clockShiftMs: 0 })
  const history = createHistoryControls(getTime)
  return {
    settings,
    links,
    state: backend.state,
    /** The records as stored now, in order of creation. */
    employees: database.list,
    /** Everything that has been reported to the service. */
    reports: history.reports,
    forget: history.forget,
    connect: async () => createClient(backend.connect(), settings, history.wrap) satisfies TestClient,
    /** Makes an invitation as the operator does. Returns its token. */
    invite: async () => addInvitation(service).token,
    /** Makes a link that sets a new password, as the operator does. Returns its token; undefined without such an account. */
    makeResetLink(email: string) {
      const account = accounts.find(email)
      return account && addReset(service, account).token
    },
    async endSessions(email: string) {
      const account = accounts.find(email)
      if (account) accounts.endSessions(account)
      database.notify()
    },
    /** Removes an account as the operator does. */
    async removeAccount(email: string) {
      const account = accounts.find(email)
      if (account) service.removeAccount(account)
    },
    stop: async () => {},
  }
}

type Settings = ReturnType<typeof createMemoryBackend>['settings']

function createClient({ identity, documents }: Services, settings: Settings, wrapHistory: WrapHistory) {
  const wire = createWire()
  let own: Credentials | undefined

  async function signIn(email: string, password: string) {
    const user = await identity.signIn(email, password)
    own = { email, password }
    return user
  }

  async function getOwn(): Promise<Credentials> {
    await identity.sessions?.list()
    if (!own) throw createServiceError('not-signed-in')
    return own
  }

  const services = wrapServices(
    {
      identity: { ...identity, signIn, ...(identity.sessions && { sessions: describe(identity.sessions) }) },
      documents: { ...documents, ...wrapHistory(documents) },
    },
    wire,
  )
  services.identity.passkeys = createPasskeys(settings, wire, signIn, getOwn)
  return { ...services, ...wire.controls(() => void identity.signOut()) }
}

/** The sessions as a server describes them, which knows the browsers. */
const describe = (sessions: SessionService): SessionService => ({
  ...sessions,
  list: async () =>
    (await sessions.list()).map((session) => ({
      ...session,
      createdAt: '2026-11-03T14:05:00.000Z',
      lastSeenAt: new Date(Date.now() - 5 * 24 * 60 * 60_000).toISOString(),
      ...(session.current && { browser: 'Firefox on Linux' }),
    })),
})

type WrapHistory = ReturnType<typeof createHistoryControls>['wrap']

function createHistoryControls(getTime: () => number) {
  const reports: ActivityReport[] = []
  let forgottenUntil = 0
  const isRemembered = (time = '') => Date.parse(time) > forgottenUntil

  const wrapPrevious = ({ list, read }: PreviousPasswordService): PreviousPasswordService => {
    const listRemembered = async (id: string) =>
      (await list(id)).filter(({ replacedAt }) => isRemembered(replacedAt))
    return {
      list: listRemembered,
      async read(id, key) {
        if ((await listRemembered(id)).some((previous) => previous.key === key)) return read(id, key)
        throw createServiceError('no-longer-kept')
      },
    }
  }

  const wrapHistory = (history: HistoryService): HistoryService => ({
    ...history,
    details: async (ids) => (await history.details(ids)).filter(({ changedAt }) => isRemembered(changedAt)),
    async report(report) {
      await history.report(report)
      reports.push(report)
    },
  })

  return {
    reports,
    /** Forgets what was recorded before, as if the service had been upgraded since. */
    forget() {
      forgottenUntil = getTime()
    },
    wrap: ({ history, previousPasswords }: Services['documents']) => ({
      ...(history && { history: wrapHistory(history) }),
      ...(previousPasswords && { previousPasswords: wrapPrevious(previousPasswords) }),
    }),
  }
}
