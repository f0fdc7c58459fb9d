import { OperatorError } from '../command.ts'
import type { AccountUpload, LeftOut, UploadedUser } from '../export-accounts.ts'
import type { FirebaseProject } from './project.ts'

export interface BroughtAccounts {
  brought: number
  there: number
  leftOut: LeftOut[]
}

/** Brings accounts with their hashes, as the project's owner. What is there is left as it is. */
export async function bringAccounts(
  project: FirebaseProject,
  token: string,
  uploads: AccountUpload[],
): Promise<BroughtAccounts> {
  const told: BroughtAccounts = { brought: 0, there: 0, leftOut: [] }
  for (const upload of uploads) {
    const refused = await send(project, token, upload)
    const present = await thereAmong(project, token, refused)
    const leftOut = refused.filter(({ user }) => !present.has(user.localId))
    told.brought += upload.users.length - refused.length
    told.there += refused.length - leftOut.length
    told.leftOut.push(...leftOut.map(({ user, why }) => ({ account: user.email, why })))
  }
  return told
}

interface Refused {
  user: UploadedUser
  why: string
}

async function send(
  project: FirebaseProject,
  token: string,
  { users, ...how }: AccountUpload,
): Promise<Refused[]> {
  // Without the check, Firebase makes a second account where another one has the email.
  const body = { ...how, users: users.map(sent), sanityCheck: true, allowOverwrite: false }
  const { error = [] } = await project.auth('{project}/accounts:batchCreate', body, token)
  return error.flatMap(({ index, message }: { index?: number; message: string }) => {
    const user = users[index ?? 0]
    return user ? [{ user, why: message }] : []
  })
}

/** As Firebase's own programs send what its files hold. It knows emails in small letters alone, and looks no closer. */
function sent({ email, passwordHash, salt, ...user }: UploadedUser): UploadedUser {
  const webSafe = (base64: string) => base64.replaceAll('+', '-').replaceAll('/', '_')
  const password = passwordHash && salt ? { passwordHash: webSafe(passwordHash), salt: webSafe(salt) } : {}
  return { ...user, email: email.toLowerCase(), ...password }
}

/** Accounts in one question. */
const maxLookup = 100

/** The ids of those that Firebase refused because it has them. */
async function thereAmong(project: FirebaseProject, token: string, refused: Refused[]): Promise<Set<string>> {
  const there = new Set<string>()
  for (let start = 0; start < refused.length; start += maxLookup) {
    const asked = new Map(refused.slice(start, start + maxLookup).map(({ user }) => [user.localId, user]))
    const body = { localId: [...asked.keys()] }
    const { users = [] } = await project.auth('{project}/accounts:lookup', body, token)
    for (const { localId, email } of users as UploadedUser[]) {
      if (asked.get(localId)?.email.toLowerCase() === email) there.add(localId)
    }
  }
  return there
}

/**
 * Has Firebase send each its mail for a new password, in this order; nobody's leave is needed for that. Rejects with an
 * `OperatorError` that says with whom to go on.
 */
export async function sendResetMails(project: FirebaseProject, emails: string[]): Promise<void> {
  for (const [i, email] of emails.entries()) {
    await project.auth('accounts:sendOobCode', { requestType: 'PASSWORD_RESET', email }).catch((error) => {
      throw new OperatorError(`Mails sent: ${i}. ${error.message} The next one is for ${email}.`)
    })
  }
}
