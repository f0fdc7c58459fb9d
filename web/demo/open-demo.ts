import type { SignedIn } from '../../contract/accounts.ts'
import { readStoredUser } from '../auth/stored-user.tsx'
import { newIdempotencyKey } from '../backends/idempotency-key.ts'
import { lazyService } from '../backends/lazy-service.ts'
import { createMemoryBackend } from '../backends/memory/backend.ts'
import { type Client, createClient } from '../backends/memory/client.ts'
import type { FurtherServices } from '../backends/memory/further-services.ts'
import type { MemoryService } from '../backends/memory/service.ts'
import type { Services } from '../backends/ports.ts'
import { createServiceError } from '../backends/service-error.ts'
import { listen } from '../lib/dom.ts'
import { type Colleague, createColleague } from './colleague.ts'
import { people } from './people.ts'
import { readSavedState, saveState } from './saved-state.ts'

export interface Demo {
  services: Services
  colleague: Colleague
  /** Signs in as somebody, for visitors who do not want an account. */
  enter(): Promise<SignedIn>
}

const colleagueEmail = 'mia.keller@example.com'

/** How long ago the parts of `people` were added, in ms. */
const ages = [420, 90, 12].map((days) => days * 24 * 60 * 60_000)

/** Opens what this tab had before a reload, or made-up people. */
export async function openDemo(): Promise<Demo> {
  const saved = readSavedState()
  let ageMs = 0
  const getTime = () => Date.now() - ageMs
  const backend = createMemoryBackend({
    getTime,
    ...(saved && { state: saved.state }),
    connectFurther,
  })
  const mia = backend.connect()
  for (const [i, part] of saved ? [] : people.entries()) {
    ageMs = ages[i] ?? 0
    await mia.identity.signIn(colleagueEmail, '')
    await mia.documents.writeBatch({ add: part, update: [], remove: [] }, newIdempotencyKey())
  }
  ageMs = 0
  await mia.identity.signIn(colleagueEmail, '')

  const client = createClient(saved?.session)
  const services = backend.connect(client)
  listen(window, 'pagehide', () => saveState({ state: backend.state, session: client.session }))
  const openedRecord = watchOpenedRecord(services)
  return {
    services,
    colleague: createColleague(mia.documents, {
      openedRecord,
      isPresent: () => !document.hidden && readStoredUser() !== null,
    }),
    enter: () => services.identity.signIn('you@example.com', ''),
  }
}

/** Loads these services when they are first called. */
function connectFurther(service: MemoryService, client: Client): FurtherServices {
  const load = async () => {
    const { createFurtherServices } = await import('../backends/memory/further-services.ts').catch(() => {
      throw createServiceError('offline')
    })
    return createFurtherServices(service, client)
  }
  return {
    team: lazyService(async () => (await load()).team),
    history: lazyService(async () => (await load()).history),
  }
}

/** Returns a function that returns the id of the record whose details the form has read last. */
function watchOpenedRecord({ documents }: Services): () => string | undefined {
  const { history } = documents
  let opened: string | undefined
  if (history)
    // Inherits the other methods, which are not known before they are loaded.
    documents.history = Object.assign(Object.create(history), {
      details(ids?: string[]) {
        if (ids?.length === 1) opened = ids[0]
        return history.details(ids)
      },
    })
  return () => opened
}
