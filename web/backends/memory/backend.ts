import type { Services } from '../ports.ts'
import { createClient } from './client.ts'
import { createDocumentStore } from './documents.ts'
import { createIdentityService } from './identity.ts'
import { addInvitation } from './invitations.ts'
import { createService } from './service.ts'
import { addReset } from './team.ts'

/**
 * A backend in memory, for tests and for the demo page. All clients that connect to it share its accounts and records. `getTime`
 * returns milliseconds since 1970. Deleted records, previous passwords and expired links are kept until it is forgotten.
 */
export function createMemoryBackend({ getTime = Date.now } = {}) {
  const service = createService(getTime)
  const { settings, database, accounts } = service
  return {
    /** Can be changed at any time. */
    settings,
    /** The links that can be used or were opened, by their tokens. */
    links: service.links,
    /** The records as stored now, in order of creation. */
    employees: database.list,
    /** Returns the services of another browser, which is not signed in. */
    connect(): Services {
      const client = createClient()
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
