import type { SignedIn } from '../../contract/accounts.ts'
import { readStoredUser } from '../auth/stored-user.tsx'
import { newIdempotencyKey } from '../backends/idempotency-key.ts'
import { createMemoryBackend } from '../backends/memory/backend.ts'
import { createClient } from '../backends/memory/client.ts'
import type { Services } from '../backends/ports.ts'
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
  const backend = createMemoryBackend({ getTime, admitsAnyone: true, ...(saved && { state: saved.state }) })
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

/** Returns a function that returns the id of the record whose details the form has read last. */
function watchOpenedRecord({ documents }: Services): () => string | undefined {
  const { history } = documents
  let opened: string | undefined
  if (history)
    documents.history = {
      ...history,
      details(ids) {
        if (ids?.length === 1) opened = ids[0]
        return history.details(ids)
      },
    }
  return () => opened
}
