import type { Emulators } from './emulators.ts'

/** The operations of a project's owner, on the emulators. */
export interface FirebaseAdmin {
  /** Deletes all accounts and documents, and turns email privacy off. */
  reset(): Promise<void>
  /** Sets whether the service hides which emails have an account. */
  setEmailPrivacy(isOn: boolean): Promise<void>
  disable(email: string): Promise<void>
  revokeTokens(email: string): Promise<void>
  deleteAccount(email: string): Promise<void>
  setRules(rules: string): Promise<void>
  /** Creates a record without checking the rules, as Firebase's console does. */
  createRecord(id: string, fields: Record<string, string>): Promise<void>
  /** Requests a password reset and completes it, as the recipient of the email would. */
  completePasswordReset(email: string, newPassword: string): Promise<void>
}

export function createFirebaseAdmin({ auth, firestore, project }: Emulators): FirebaseAdmin {
  const accounts = `http://127.0.0.1:${auth}/identitytoolkit.googleapis.com/v1/projects/${project}/accounts`
  const config = `http://127.0.0.1:${auth}/emulator/v1/projects/${project}/config`

  const documents = `http://127.0.0.1:${firestore}/emulator/v1/projects/${project}/databases/(default)/documents`

  async function send(method: string, url: string, body?: unknown) {
    const response = await fetch(url, {
      method,
      headers: { authorization: 'Bearer owner', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`)
    return response.json()
  }

  /** The emulator responds 499 if it notifies a client that is just disconnecting. */
  async function deleteDocuments(attempts = 3): Promise<void> {
    const response = await fetch(documents, { method: 'DELETE', headers: { authorization: 'Bearer owner' } })
    const text = await response.text()
    if (response.status === 499 && attempts > 1) return deleteDocuments(attempts - 1)
    if (!response.ok) throw new Error(`DELETE ${documents}: ${response.status} ${text}`)
  }

  async function findAccount(email: string) {
    const { users } = await send('POST', `${accounts}:lookup`, { email: [email] })
    return users[0]
  }
  const findAccountId = async (email: string): Promise<string> => (await findAccount(email)).localId

  const setEmailPrivacy = (isOn: boolean) =>
    send('PATCH', config, { emailPrivacyConfig: { enableImprovedEmailPrivacy: isOn } })

  return {
    async reset() {
      await send('DELETE', `http://127.0.0.1:${auth}/emulator/v1/projects/${project}/accounts`)
      if (firestore !== 0) await deleteDocuments()
      await setEmailPrivacy(false)
    },
    setEmailPrivacy,
    async disable(email) {
      await send('POST', `${accounts}:update`, { localId: await findAccountId(email), disableUser: true })
    },
    async revokeTokens(email) {
      // Token times have a resolution of one second, so a token issued in this second is older than the next.
      const validSince = String(Math.floor(Date.now() / 1000) + 1)
      await send('POST', `${accounts}:update`, { localId: await findAccountId(email), validSince })
    },
    async deleteAccount(email) {
      await send('POST', `${accounts}:delete`, { localId: await findAccountId(email) })
    },
    async setRules(content) {
      await send('PUT', `http://127.0.0.1:${firestore}/emulator/v1/projects/${project}:securityRules`, {
        rules: { files: [{ name: 'firestore.rules', content }] },
      })
    },
    async createRecord(id, fields) {
      const url = `http://127.0.0.1:${firestore}/v1/projects/${project}/databases/(default)/documents/books/${id}`
      const values = Object.entries(fields).map(([name, stringValue]) => [name, { stringValue }])
      await send('PATCH', url, { fields: Object.fromEntries(values) })
    },
    async completePasswordReset(email, newPassword) {
      const { oobCode } = await send('POST', `${accounts}:sendOobCode`, {
        requestType: 'PASSWORD_RESET',
        returnOobLink: true,
        email,
      })
      const publicAccounts = `http://127.0.0.1:${auth}/identitytoolkit.googleapis.com/v1/accounts`
      await send('POST', `${publicAccounts}:resetPassword?key=any`, { oobCode, newPassword })
    },
  }
}
