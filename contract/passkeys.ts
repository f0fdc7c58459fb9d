import type { XStatic } from 'typebox/schema'
import { arrayOf, objectOf, textSchema, timestampSchema } from './json-schema.ts'

/** Separate from `paths`, because the page needs them on demand only. */
export const passkeyPaths = {
  passkeys: '/api/identity/passkeys',
  passkeyById: (id: string) => `/api/identity/passkeys/${encodeURIComponent(id)}`,
  options: '/api/identity/passkeys/options',
  session: '/api/identity/session/passkey',
  sessionOptions: '/api/identity/session/passkey/options',
}

/** How long the browser's answer to a challenge is accepted. A page that offers passkeys for longer asks for new options before. */
export const challengeTtlMs = 5 * 60_000

export const maxPasskeys = 20

/**
 * Why no passkey can be used at this address of the page. `no-public-url`: the server does not know its own address, because
 * PUBLIC_URL is not set.
 */
export const passkeyObstacles = ['plain-http', 'ip-address', 'no-public-url'] as const

export type PasskeyObstacle = (typeof passkeyObstacles)[number]

/** In UTF-16 code units, not only spaces. Control characters could change the terminal that lists the passkeys. */
const nameSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 100,
  pattern: '^\\P{Cc}*[^\\p{Cc}\\s]\\P{Cc}*$',
  format: 'well-formed',
} as const

/** `id` grants no access and is not the credential's. `isBackedUp`: the authenticator says that other devices have the passkey too. */
export const passkeyInfoSchema = objectOf(
  {
    id: textSchema,
    name: textSchema,
    createdAt: timestampSchema,
    isBackedUp: { type: 'boolean' },
  },
  { lastUsedAt: timestampSchema },
)

export interface PasskeyInfo extends XStatic<typeof passkeyInfoSchema> {}

/** The passkeys of the account, the oldest first. */
export const passkeyListSchema = objectOf(
  { passkeys: arrayOf(passkeyInfoSchema) },
  { unavailable: { enum: passkeyObstacles } },
)

export interface PasskeyList extends XStatic<typeof passkeyListSchema> {}

/** In base64url. Much more than any authenticator sends. */
const bytesSchema = { type: 'string', maxLength: 4000, pattern: '^[A-Za-z0-9_-]*$' } as const

/** Returns the schema of an object that may have other properties too: browsers send more, which is ignored. */
/* @__NO_SIDE_EFFECTS__ */
function openObjectOf<const Required extends Record<string, object>>(required: Required) {
  const { additionalProperties: _, ...schema } = objectOf(required)
  return schema
}

const credential = { id: bytesSchema, rawId: bytesSchema, type: { const: 'public-key' } } as const

/** `response`: what the browser has made of the options, in WebAuthn's `RegistrationResponseJSON`. */
export const newPasskeySchema = objectOf({
  name: nameSchema,
  response: openObjectOf({
    ...credential,
    response: openObjectOf({ clientDataJSON: bytesSchema, attestationObject: bytesSchema }),
  }),
})

/** `response`: what the browser has made of the options, in WebAuthn's `AuthenticationResponseJSON`. */
export const passkeySignInSchema = objectOf({
  response: openObjectOf({
    ...credential,
    response: openObjectOf({
      clientDataJSON: bytesSchema,
      authenticatorData: bytesSchema,
      signature: bytesSchema,
      userHandle: bytesSchema,
    }),
  }),
})
