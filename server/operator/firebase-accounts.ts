import { type HashCost, parsePhc } from '../identity/password-hash.ts'
import type { Account } from '../storage/port.ts'

/**
 * The accounts as the body of Firebase's `accounts:batchCreate`. It names one cost for all hashes; accounts with another
 * come without a password, and need a reset mail.
 * @see https://cloud.google.com/identity-platform/docs/reference/rest/v1/projects.accounts/batchCreate
 */
export function firebaseAccounts(accounts: Account[]) {
  const hashes = accounts.map(({ passwordHash }) => parsePhc(passwordHash))
  const cost = hashes.at(-1)?.cost
  return {
    hashAlgorithm: 'ARGON2',
    argon2Parameters: {
      hashType: 'ARGON2_ID',
      version: 'VERSION_13',
      hashLengthBytes: 32,
      parallelism: 1,
      iterations: cost?.passes,
      memoryCostKib: cost?.memory,
    },
    users: accounts.map(({ uid, email, createdAt }, i) => ({
      localId: uid,
      email,
      createdAt: String(Date.parse(createdAt)),
      ...passwordOf(hashes[i], cost),
    })),
  }
}

function passwordOf(parsed: ReturnType<typeof parsePhc> | undefined, cost: HashCost | undefined) {
  const isOfThisCost = parsed?.cost.memory === cost?.memory && parsed?.cost.passes === cost?.passes
  if (!parsed || !isOfThisCost) return {}
  return { passwordHash: parsed.hash.toString('base64url'), salt: parsed.salt.toString('base64url') }
}
