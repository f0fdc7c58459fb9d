import type { XStatic } from 'typebox/schema'
import { cleanEmail, isEmail } from './employees.ts'
import { arrayOf, objectOf, textSchema, timestampSchema } from './json-schema.ts'

/** Formats milliseconds since 1970. */
export const toTimestamp = (time: number) => new Date(time).toISOString()

/** The signed-in user. The page stores it in local storage, so it contains no secrets. */
export const userSchema = objectOf({
  uid: textSchema,
  email: textSchema,
  createdAt: timestampSchema,
})

export interface User extends XStatic<typeof userSchema> {}

/**
 * Who may create an account; `invited`: whoever has a link. Every account can read every record, so this is the access
 * control of the product. `sso`: there is single sign-on at a provider with this name; `only`: and nothing else.
 */
export const identityPolicySchema = objectOf(
  { signUp: { enum: ['open', 'invited', 'closed'] } },
  { sso: objectOf({ name: textSchema }, { only: { const: true } }) },
)

export interface IdentityPolicy extends XStatic<typeof identityPolicySchema> {}

export type SignUpPolicy = IdentityPolicy['signUp']

/**
 * One session of the account. `id` grants no access. `browser`: its name at sign-in, such as "Firefox on Linux", if it is known.
 * `current` marks the session of the request.
 */
export const sessionInfoSchema = objectOf(
  {
    id: textSchema,
    createdAt: timestampSchema,
    lastSeenAt: timestampSchema,
    current: { type: 'boolean' },
  },
  { browser: textSchema },
)

export interface SessionInfo extends XStatic<typeof sessionInfoSchema> {}

const credentialSchema = { type: 'string', maxLength: 1000 } as const

/**
 * Checks shape and size only. The rules for a new account (a valid email, a strong password) have error codes of their
 * own, and signing in must not reveal them.
 */
export const credentialsSchema = objectOf({ email: credentialSchema, password: credentialSchema })

export interface Credentials extends XStatic<typeof credentialsSchema> {}

/** 32 random bytes in base64url: the secret of a one-time link, which carries it in the fragment of its address. */
const tokenSchema = { type: 'string', maxLength: 100 } as const

/** A new account. The invitation's token is required where only invited people may sign up. */
export const newAccountSchema = objectOf(credentialsSchema.properties, { invitation: tokenSchema })

export interface NewAccount extends XStatic<typeof newAccountSchema> {}

/** `email`: the only one that may use the invitation. */
export const newInvitationSchema = objectOf({}, { email: credentialSchema })

export const tokenBodySchema = objectOf({ token: tokenSchema })

const openInvitation = { id: textSchema, expiresAt: timestampSchema }
const aboutInvitation = { email: textSchema, invitedBy: textSchema }

/** An invitation that nobody has used. `id` grants no access. Without `invitedBy`, the operator made it. */
export const invitationInfoSchema = objectOf(openInvitation, aboutInvitation)

export interface InvitationInfo extends XStatic<typeof invitationInfoSchema> {}

export const createdInvitationSchema = objectOf({ ...openInvitation, token: textSchema }, aboutInvitation)

/** The `uid` in a request: of imported accounts up to 128 characters of two code units. PostgreSQL rejects U+0000. */
export const uidSchema = { type: 'string', maxLength: 256, pattern: '^[^\\0]*$' } as const

/** The password of the caller, for what a stolen session must not do. */
export const ownPasswordSchema = objectOf({ password: credentialSchema })

export const resetLinkSchema = objectOf({ token: textSchema, expiresAt: timestampSchema })

export interface NewResetLink extends XStatic<typeof resetLinkSchema> {}

const resetLinkMakerSchema = objectOf({ by: textSchema, at: timestampSchema })

/**
 * Response of a sign-in. `resetLinks`: which colleagues, by their emails, have made reset links for the account in the last 60 days,
 * and when each has last; the latest first, which is also `resetLink`. `tookOver`: this first sign-in by single sign-on has ended the
 * account's password and passkeys.
 */
export const signedInSchema = objectOf(userSchema.properties, {
  resetLink: resetLinkMakerSchema,
  resetLinks: arrayOf(resetLinkMakerSchema),
  tookOver: { const: true },
})

export interface SignedIn extends XStatic<typeof signedInSchema> {}

/** How long a removed account can be let back in. */
export const letInDays = 30

export const passwordChangeSchema = objectOf({
  password: credentialSchema,
  newPassword: credentialSchema,
})

export const passwordResetSchema = objectOf({ token: tokenSchema, newPassword: credentialSchema })

/**
 * An account, as everyone who is signed in sees it. Without `lastSeenAt`, nobody has signed in to it yet. With `removedAt`, it
 * was removed: by `removedBy`, an email, or the operator. `canReturn`: it can be let back in, until `letInDays` after that.
 */
export const colleagueSchema = objectOf(
  {
    /** The `uid` of its user. */
    id: textSchema,
    email: textSchema,
    createdAt: timestampSchema,
  },
  {
    lastSeenAt: timestampSchema,
    /** The email of another account that looks the same. */
    looksLike: textSchema,
    removedAt: timestampSchema,
    removedBy: textSchema,
    canReturn: { const: true },
    /**
     * How the account was created, if by an invitation since this is recorded. Without `by`, an email, the operator made it.
     * `anyEmail`: it named no email.
     */
    invitation: objectOf({ anyEmail: { type: 'boolean' } }, { by: textSchema }),
    /** It signs in by single sign-on. */
    sso: { const: true },
  },
)

export interface Colleague extends XStatic<typeof colleagueSchema> {}

/** Length limits of account passwords in Unicode code points after NFC normalization. */
export const passwordLength = { min: 8, max: 128 } as const

/** Maximum length of a path in RFC 5321, in characters. */
export const maxEmailLength = 254

/** Returns the form of an email that is used for comparison. */
export function toEmailKey(email: string): string {
  return cleanEmail(email.normalize('NFC')).toLowerCase()
}

/** Whether a new account may use this email. Surrounding white space, also of no width, is ignored. */
export function isAccountEmail(email: string): boolean {
  const cleaned = cleanEmail(email)
  return cleaned.length <= maxEmailLength && isEmail(cleaned)
}
