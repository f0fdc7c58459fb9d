import type { Services } from '../ports.ts'
import { type Client, createClient } from './client.ts'
import { createDocumentStore } from './documents.ts'
import { createIdentityService } from './identity.ts'
import { addInvitation } from './invitations.ts'
import { createService, createServiceState, type ServiceOptions } from './service.ts'
import { addReset } from './team.ts'

/**
 * A backend in memory, for tests and for the demo page. All clients that connect to it share its accounts and records. It starts
 * with `state`, which it changes, or empty. `getTime` returns milliseconds since 1970.
 */
export function createMemoryBackend(options: Partial<ServiceOptions> = {}) {
  const { state = createServiceState(), getTime = Date.now, admitsAnyone = false } = options
  const service = createService({ state, getTime, admitsAnyone })
  const { settings, database, accounts, links } = service
  return {
    /** Can be changed at any time. */
    settings,
    state,
    links,
    /** The records as stored now, in order of creation. */
    employees: database.list,
    /** Returns the services of another browser, which is not signed in unless `client` has a session. */
    connect(client: Client = createClient()): Services {
      return {
        identity: createIdentityService(service, client),
        documents: createDocumentStore(service, client),
      }
    },
    /** Makes an invitation as the operator does. Returns its token. */
    invite: () => addInvitation(service).token,
    /** Makes a link that sets a new password, as the operator does. Returns its token; undefined without such an account. */
    makeResetLink(email: string) {
      const account = accounts.find(email)
      return account && addReset(service, account).token
    },
    /** Removes an account as the operator does. */
    removeAccount(email: string) {
      const account = accounts.find(email)
      if (account) service.removeAccount(account)
    },
    /** Ends all sessions of an account. */
    endSessions(email: string) {
      const account = accounts.find(email)
      if (account) accounts.endSessions(account)
      database.notify()
    },
  }
}
