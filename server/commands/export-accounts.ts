import { isAccountEmail } from '../../contract/accounts.ts'
import { splitIntoChunks } from '../../contract/firestore.ts'
import { toEmailKey } from '../auth/accounts.ts'
import { createUnusableHash, formatPhc, type HashCost, hasPassword, parsePhc } from '../auth/password-hash.ts'
import type { Account } from '../storage/storage.ts'

/**
 * Accounts as Firebase imports them: the body of one `accounts:batchCreate`, which names one hash for all its users.
 * @see https://cloud.google.com/identity-platform/docs/reference/rest/v1/projects.accounts/batchCreate
 */
export interface AccountUpload {
  hashAlgorithm?: 'ARGON2'
  argon2Parameters?: Argon2Parameters
  users: UploadedUser[]
}

type Argon2Parameters = ReturnType<typeof parametersOf>

export interface UploadedUser {
  localId: string
  email: string
  /** Milliseconds since 1970. */
  createdAt: string
  /** Base64, as the salt. None where the account has no password. */
  passwordHash?: string
  salt?: string
}

/** Accounts in one upload. */
const maxUpload = 1000

/** The accounts with their hashes: uploads of one cost each, and one for those that have no password. */
export function uploadsOf(accounts: Account[]): AccountUpload[] {
  const groups = Map.groupBy(accounts, ({ passwordHash }) => JSON.stringify(howHashed(passwordHash)))
  return [...groups].flatMap(([how, group]) =>
    splitIntoChunks(group, maxUpload).map((slice) => ({ ...JSON.parse(how), users: slice.map(userOf) })),
  )
}

function howHashed(stored: string) {
  if (!hasPassword(stored)) return {}
  return { hashAlgorithm: 'ARGON2', argon2Parameters: parametersOf(parsePhc(stored).cost) }
}

function userOf({ uid, email, createdAt, passwordHash }: Account): UploadedUser {
  const { hash, salt } = parsePhc(passwordHash)
  const password = { passwordHash: hash.toString('base64'), salt: salt.toString('base64') }
  const user = { localId: uid, email, createdAt: String(Date.parse(createdAt)) }
  return hasPassword(passwordHash) ? { ...user, ...password } : user
}

function parametersOf({ memory, passes }: HashCost) {
  return {
    hashType: 'ARGON2_ID',
    version: 'VERSION_13',
    hashLengthBytes: 32,
    parallelism: 1,
    iterations: passes,
    memoryCostKib: memory,
  } as const
}

export interface ReadAccounts {
  accounts: Account[]
  /** Accounts that can't be ours, and why. */
  leftOut: LeftOut[]
  /** What is malformed, by its place. */
  problems: string[]
}

export interface LeftOut {
  account: string
  why: string
}

/**
 * The accounts of uploads that may come from anywhere. Where the hash is none that we can verify, as Firebase's own, the
 * account comes without a password.
 */
export function readUploads(uploads: unknown[]): ReadAccounts {
  const read: ReadAccounts = { accounts: [], leftOut: [], problems: [] }
  for (const [i, upload] of uploads.entries()) {
    const { users, ...how } = Object(upload)
    if (!Array.isArray(users)) read.problems.push(`accounts/${i}/users`)
    else
      for (const [j, user] of users.entries())
        readUser(user, verifiableCost(how), `accounts/${i}/users/${j}`, read)
  }
  return read
}

function readUser(user: unknown, cost: HashCost | undefined, place: string, read: ReadAccounts) {
  const { localId, email, createdAt = Date.now(), passwordHash, salt, disabled } = Object(user)
  const isThere = (value: unknown) => value !== undefined && value !== null && value !== ''
  const problem = (field: string) => void read.problems.push(`${place}/${field}`)
  if (!isId(localId)) return problem('localId')
  if (!isThere(email)) return void read.leftOut.push({ account: localId, why: 'it has no email' })
  if (typeof email !== 'string' || !isAccountEmail(email)) return problem('email')
  if (disabled === true) return void read.leftOut.push({ account: email, why: 'it is disabled' })
  const time = new Date(Number(createdAt))
  if (Number.isNaN(time.getTime())) return problem('createdAt')
  const stored = isThere(passwordHash) && cost ? storedHash(passwordHash, salt, cost) : createUnusableHash()
  if (!stored) return problem('passwordHash')
  read.accounts.push({
    uid: localId,
    email: email.trim(),
    emailKey: toEmailKey(email),
    passwordHash: stored,
    createdAt: time.toISOString(),
  })
}

/** As long as Firebase's may be. */
const idExpression = /^\P{Cc}{1,128}$/u
const isId = (value: unknown): value is string =>
  typeof value === 'string' && idExpression.test(value) && value.isWellFormed()

/** The cost of hashes that are as ours; nothing where they are not. */
function verifiableCost({ hashAlgorithm, argon2Parameters }: Record<string, unknown>): HashCost | undefined {
  const { iterations: passes, memoryCostKib: memory, ...kind } = Object(argon2Parameters)
  const { iterations: _, memoryCostKib: __, ...ours } = parametersOf({ memory, passes })
  const isOurs = Object.entries({ ...ours, ...kind }).every(([name, value]) => Object(ours)[name] === value)
  const isCost = isWithin(memory, 8, 1 << 20) && isWithin(passes, 1, 100)
  return hashAlgorithm === 'ARGON2' && isOurs && isCost ? { memory, passes } : undefined
}

function isWithin(value: unknown, least: number, most: number): value is number {
  return Number.isInteger(value) && Number(value) >= least && Number(value) <= most
}

function storedHash(passwordHash: unknown, salt: unknown, cost: HashCost): string | undefined {
  const [hashBytes, saltBytes] = [passwordHash, salt].map((text) => Buffer.from(String(text), 'base64'))
  if (!hashBytes || !saltBytes || hashBytes.length !== 32 || saltBytes.length < 8) return
  return formatPhc(saltBytes, hashBytes, cost)
}
