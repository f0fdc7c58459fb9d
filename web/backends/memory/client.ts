import { createServiceError } from '../service-error.ts'
import type { Account, Session } from './accounts.ts'
import type { MemoryService } from './service.ts'

/** One browser. */
export interface Client {
  session: Session | undefined
  /** The revision of the last list, from which a subscription continues. */
  listedRevision: number
  /** Notifies the subscriber. */
  onSessionEnded(): void
}

export const createClient = (session?: Session): Client => ({
  session,
  listedRevision: 0,
  onSessionEnded: () => {},
})

/** Runs what a call does. A caller never gets its result synchronously. */
export async function answer<T>(run: () => T): Promise<T> {
  await null
  return run()
}

/** What a method of a service does for the signed-in account, at once. */
type ForSignedIn<Service> = {
  [Name in keyof Service]: Service[Name] extends (...args: infer Args) => Promise<infer Result>
    ? (own: Account, ...args: Args) => Result
    : never
}

/** Makes methods that need a session. */
export function forSignedIn<Service extends object>(
  { accounts }: MemoryService,
  client: Client,
  methods: ForSignedIn<Service>,
): Service {
  const entries = Object.entries<(own: Account, ...args: unknown[]) => unknown>(methods)
  const callFor = (run: (typeof entries)[0][1], args: unknown[]) =>
    answer(() => {
      const own = accounts.use(client.session)
      if (own) return run(own, ...args)
      client.onSessionEnded()
      throw createServiceError('not-signed-in')
    })
  return Object.fromEntries(
    entries.map(([name, run]) => [name, (...args: unknown[]) => callFor(run, args)]),
  ) as Service
}
