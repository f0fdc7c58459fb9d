import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import type { SignedIn } from '../../../../contract/accounts.ts'
import { challengeTtlMs, type PasskeyList, passkeyPaths } from '../../../../contract/passkeys.ts'
import { t } from '../../../language/translate.ts'
import { listen } from '../../../lib/dom.ts'
import { hasCode, type PasskeyChoice, type PasskeyService, ServiceError } from '../../ports.ts'
import { createRequests, type Send } from '../client.ts'

/** Suggestions wait for as long as the screen is open, so their challenge is replaced before it expires. */
const maxWaitMs = challengeTtlMs - 60_000

export function createPasskeyService(send: Send): PasskeyService {
  const { read, run, end } = createRequests(send)

  async function ask({ inDialog, signal, onOffered }: PasskeyChoice) {
    // Browsers log an error for each refused request.
    if (!browserSupportsWebAuthn() || ipAddress.test(location.hostname)) throw unavailable()
    for (;;) {
      const optionsJSON: PublicKeyCredentialRequestOptionsJSON = await read(
        'POST',
        passkeyPaths.sessionOptions,
      )
      if (signal.aborted) throw toServiceError(signal.reason)
      onOffered()
      let isExpired = false
      const expire = () => {
        isExpired = true
        WebAuthnAbortService.cancelCeremony()
      }
      const timer = setTimeout(expire, maxWaitMs)
      const stopListening = listen(signal, 'abort', expire)
      try {
        return await startAuthentication({ optionsJSON, useBrowserAutofill: !inDialog })
      } catch (error) {
        if (inDialog || signal.aborted || !isExpired) throw toServiceError(error)
      } finally {
        clearTimeout(timer)
        stopListening()
      }
    }
  }

  return {
    async list() {
      const list = await read<PasskeyList>('GET', passkeyPaths.passkeys)
      if (browserSupportsWebAuthn()) return list
      return { unavailable: isSecureContext ? 'no-webauthn' : 'plain-http', ...list }
    },

    async create(name, password) {
      const optionsJSON: PublicKeyCredentialCreationOptionsJSON = await read('POST', passkeyPaths.options, {
        body: { password },
      })
      const passkey = await startRegistration({ optionsJSON }).catch((error) => {
        throw toServiceError(error)
      })
      await run('POST', passkeyPaths.passkeys, { body: { name, response: passkey } })
    },

    remove: (id) => end(passkeyPaths.passkeyById(id)),

    async choose(choice) {
      const response = await ask(choice)
      return () =>
        read<SignedIn>('POST', passkeyPaths.session, { body: { response } }).catch((error) => {
          throw hasCode(error, 'invalid-credentials') ? new ServiceError(error.code, refused) : error
        })
    },
  }
}

const refused = 'This passkey isn’t accepted any more. Sign in with your password.'
const ipAddress = /^[\d.]+$|:/
const notHere = 'Passkeys can’t be used at this address.'
const alreadyThere = 'This device has a passkey for your account already.'

const unavailable = (cause?: unknown) => new ServiceError('passkeys-unavailable', notHere, { cause })

/** Browsers tell little: `NotAllowedError` is also a timeout, or a device without a passkey. */
function toServiceError(cause: unknown): ServiceError {
  const name = cause instanceof Error && cause.name
  if (name === 'InvalidStateError') return new ServiceError('conflict', alreadyThere, { cause })
  if (name === 'SecurityError') return unavailable(cause)
  return new ServiceError('cancelled', t('Cancelled.'), { cause })
}
