import type { Services } from '../ports.ts'
import { type Client, createClient } from './client.ts'
import { createDocumentStore } from './documents.ts'
import type { FurtherServices } from './further-services.ts'
import { createIdentityService } from './identity.ts'
import { createService, createServiceState, type MemoryService, type ServiceOptions } from './service.ts'

interface BackendOptions extends Partial<ServiceOptions> {
  /** `createFurtherServices`, or what loads it on demand. */
  connectFurther(service: MemoryService, client: Client): FurtherServices
}

/**
 * A backend in memory, for tests and for the demo page. All clients that connect to it share its accounts and records. It starts
 * with `state`, which it changes, or empty. `getTime` returns milliseconds since 1970.
 */
export function createMemoryBackend(options: BackendOptions) {
  const {
    state = createServiceState(),
    getTime = Date.now,
    findPasswordProblem = null,
    markLookAlikes = (colleagues) => colleagues,
    connectFurther,
  } = options
  const service = createService({ state, getTime, findPasswordProblem, markLookAlikes })
  return {
    service,
    state,
    /** Returns the services of another browser, which is not signed in unless `client` has a session. */
    connect(client: Client = createClient()): Services {
      const { team, history } = connectFurther(service, client)
      return {
        identity: { ...createIdentityService(service, client), team },
        documents: { ...createDocumentStore(service, client), history },
      }
    },
  }
}
