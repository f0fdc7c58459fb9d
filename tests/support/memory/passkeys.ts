import type { PasskeyInfo } from '../../../contract/passkeys.ts'
import { newIdempotencyKey } from '../../../web/backends/idempotency-key.ts'
import { type IdentityService, type PasskeyService, ServiceError } from '../../../web/backends/ports.ts'
import { createServiceError } from '../../../web/backends/service-error.ts'
import type { Wire } from './faults.ts'

export type Credentials = { email: string; password: string }

export const createPasskeySettings = () => ({
  /** The passkeys on the device of everyone, by their ids. */
  passkeys: new Map<string, PasskeyInfo & { owner: Credentials }>(),
  unavailablePasskeys: undefined as Awaited<ReturnType<PasskeyService['list']>>['unavailable'],
  /** Why the browser makes or uses no passkey. */
  passkeyRefusal: undefined as ServiceError | undefined,
  /** While passkeys are suggested: chooses one. */
  chooseSuggested: undefined as (() => void) | undefined,
})

/**
 * Passkeys for the backend in memory, which has none. Each signs in with the password of its owner. `getOwn` returns what the
 * client has signed in with, or rejects.
 */
export function createPasskeys(
  settings: ReturnType<typeof createPasskeySettings>,
  { call }: Wire,
  signIn: IdentityService['signIn'],
  getOwn: () => Promise<Credentials>,
): PasskeyService {
  const { passkeys } = settings
  const requireConsent = () => {
    if (settings.passkeyRefusal) throw settings.passkeyRefusal
  }
  return {
    list: () =>
      call('passkeys', async () => {
        const { email } = await getOwn()
        const own = [...passkeys.values()].filter(({ owner }) => owner.email === email)
        const { unavailablePasskeys: unavailable } = settings
        return {
          passkeys: own.map(({ owner: _, ...passkey }) => passkey),
          ...(unavailable && { unavailable }),
        }
      }),
    create: (name, password) =>
      call('passkeys', async () => {
        const owner = await getOwn()
        if (owner.password !== password)
          throw createServiceError('invalid-credentials', { field: 'password' })
        requireConsent()
        const [id, createdAt] = [newIdempotencyKey(), '2026-05-03T12:00:00.000Z']
        passkeys.set(id, { id, name, createdAt, isBackedUp: true, owner })
      }),
    remove: (id) => call('passkeys', async () => void passkeys.delete(id)),
    async choose({ inDialog, signal, onOffered }) {
      await call('passkeys', async () => {
        if (settings.unavailablePasskeys) throw createServiceError('passkeys-unavailable')
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
        call('signIn', async () => {
          const passkey = passkeys.get(chosen?.id ?? '')
          if (!passkey) throw new ServiceError('invalid-credentials', 'This passkey isn’t accepted any more.')
          passkey.lastUsedAt = new Date().toISOString()
          return signIn(passkey.owner.email, passkey.owner.password)
        })
    },
  }
}
