import type { XStatic } from 'typebox/schema'
import { newAccountSchema } from '../accounts.ts'
import { objectOf } from '../json-schema.ts'

/** Separate from `paths`, because the page needs them on demand only. */
export const ssoPaths = {
  sessionOptions: '/api/identity/session/sso/options',
  session: '/api/identity/session/sso',
  confirmationOptions: '/api/identity/confirmation/options',
  confirmation: '/api/identity/confirmation',
}

/** How long a sign-in at the provider may take: with a second factor, or a new password there. */
export const ssoTtlMs = 15 * 60_000

/** How long a confirmation stands in for the own password. */
export const confirmationTtlMs = 5 * 60_000

/** The query of the address to which the provider has sent the browser back, with its question mark or without. */
const responseSchema = { type: 'string', minLength: 1, maxLength: 8000 } as const

/** `url`: where the browser goes next. */
export const ssoOptionsSchema = objectOf({ url: { type: 'string' } })

export const ssoSignInSchema = objectOf(
  { response: responseSchema },
  { invitation: newAccountSchema.properties.invitation },
)

export const ssoResponseSchema = objectOf({ response: responseSchema })

/**
 * How the signed-in account confirms an act: with its password, or, where it has none, at the provider. `connected`: it signs in by
 * single sign-on. `confirmed`: it has done so in the last minutes.
 */
export const confirmationSchema = objectOf({
  by: { enum: ['password', 'sso'] },
  connected: { type: 'boolean' },
  confirmed: { type: 'boolean' },
})

export interface Confirmation extends XStatic<typeof confirmationSchema> {}
