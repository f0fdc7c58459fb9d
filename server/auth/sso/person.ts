import type { Configuration, IDToken, UserInfoResponse } from 'openid-client'
import { isAccountEmail, toEmailKey } from '../../../contract/accounts.ts'
import { cleanEmail } from '../../../contract/employees.ts'
import type { Library, OpenedProvider } from './discover.ts'
import { type LibraryError, ProviderError } from './provider-error.ts'
import type { SsoSettings } from './settings.ts'

/** Whom the provider vouches for. `email`: only if it is verified. */
export interface VouchedPerson {
  issuer: string
  subject: string
  email: { email: string; emailKey: string } | undefined
  isAllowed: boolean
  /** Why there is no email, or they are not allowed: names of claims, for the log. */
  lacks: string[]
  /** When they have signed in there, in seconds since 1970; undefined if the provider does not say. */
  authenticatedAt: number | undefined
}

export type Grant = {
  configuration: Configuration
  tokens: Awaited<ReturnType<Library['authorizationCodeGrant']>>
}

/** Reads who has signed in from the tokens, and if that is not enough from userinfo. Throws whatever the library throws. */
export async function readPerson(
  opened: OpenedProvider,
  grant: Grant,
  settings: SsoSettings,
): Promise<VouchedPerson> {
  const claims = grant.tokens.claims()
  if (!claims) throw new ProviderError('unavailable', 'there is no ID token')
  if (!isSubject(claims.sub)) throw new ProviderError('unavailable', 'the subject is not one')
  const info = await readUserInfo(opened, grant, claims, settings)
  const email = findEmail(claims, info, settings.trustsEmail)
  const isWithoutEmail = typeof email === 'string'
  const missing = findMissing(claims, info, settings)
  const isAllowed = missing.length === 0
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: isWithoutEmail ? undefined : email,
    isAllowed,
    lacks: isAllowed && isWithoutEmail ? [email] : missing,
    authenticatedAt: claims.auth_time,
  }
}

/** Asks for the claims that the ID token lacks. */
async function readUserInfo(
  { library, server }: OpenedProvider,
  { configuration, tokens }: Grant,
  claims: IDToken,
  { required, trustsEmail }: SsoSettings,
): Promise<UserInfoResponse | undefined> {
  const isMissing = (name: string) => readClaim(claims, name).length === 0
  const lacksNeeded = ['email', ...required.keys()].some(isMissing)
  if (!server.userinfo_endpoint || !(lacksNeeded || isMissing('email_verified'))) return
  try {
    return await library.fetchUserInfo(configuration, tokens.access_token, claims.sub)
  } catch (error) {
    // Entra's is at another host, which this server may not reach, and would not say more.
    if (lacksNeeded || !trustsEmail || !isWithoutAnswer(error as LibraryError)) throw error
    return
  }
}

/** Whether the provider has not answered, or with an error. Another answer could say that an email is not verified. */
const isWithoutAnswer = ({ name, code, status, cause }: LibraryError) =>
  (status ?? cause?.status ?? 0) >= 400 ||
  code === 'OAUTH_TIMEOUT' ||
  (name === 'TypeError' && cause?.code !== undefined)

/** At most 255 characters, as OpenID Connect has it. What databases store as another text, or not at all, could be somebody else. */
const isSubject = (text: string) => text.length <= 255 && text.isWellFormed() && !/\p{Cc}/u.test(text)

type Claims = Partial<IDToken> | UserInfoResponse | undefined

/**
 * The values of a claim as texts, none if it is missing. `realm_access.roles` is one within another, `groups.name` one of each of
 * several.
 */
function readClaim(claims: Claims, name: string): string[] {
  const read = (value: unknown, key: string): unknown[] =>
    [value].flat(2).flatMap((each) => (isObject(each) && Object.hasOwn(each, key) ? [each[key]] : []))
  const own = read(claims, name)
  const values = own.length > 0 ? own : name.split('.').reduce<unknown[]>(read, [claims])
  return values.flat().flatMap((each) => (each === undefined || each === null ? [] : [String(each)]))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** What the claims lack of OIDC_REQUIRE. */
const findMissing = (claims: Claims, info: Claims, { required }: SsoSettings) =>
  [...required].flatMap(([name, values]) => {
    const own = readClaim(claims, name)
    const found = own.length > 0 ? own : readClaim(info, name)
    if (values.some((value) => found.includes(value))) return []
    return found.length > 0 ? `other values in the claim ${name}` : `no claim ${name}`
  })

/** Whether the name of the mailbox is visible ASCII. Without its invisible characters, an email may be that of somebody else. */
const isOneMailbox = (email: string) => /^\s*[!-~]+@/.test(email)

/** Returns the email if it is verified, for it says who may have an existing account, and who may come; otherwise why not. */
function findEmail(claims: Claims, info: Claims, trustsEmail: boolean) {
  const email = claims?.email ?? info?.email
  // What is said of another email says nothing of this one.
  const isSame = info?.email === undefined || info.email === email
  const verified: unknown = claims?.email_verified ?? (isSame ? info?.email_verified : undefined)
  // Some send a text.
  const isVerified = verified === true || verified === 'true' || (verified === undefined && trustsEmail)
  if (typeof email !== 'string') return 'no claim email'
  if (!isVerified) return verified === undefined ? 'no claim email_verified' : 'email_verified is not true'
  if (!isAccountEmail(email) || !isOneMailbox(email)) return 'the email is not one'
  return { email: cleanEmail(email), emailKey: toEmailKey(email) }
}
