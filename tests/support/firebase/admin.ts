import { readFileSync } from 'node:fs'
import { splitIntoChunks } from '../../../contract/firestore.ts'
import type { Emulators } from './emulators.ts'

/** The operations of a project's owner, on the emulators. */
export function createFirebaseAdmin({ auth, firestore, project }: Emulators) {
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

  async function findUid(email: string): Promise<string> {
    const { users } = await send('POST', `${accounts}:lookup`, { email: [email] })
    return users[0].localId
  }

  const changeAccount = async (email: string, action: 'update' | 'delete', change: object = {}) =>
    send('POST', `${accounts}:${action}`, { localId: await findUid(email), ...change })

  /** Changes or creates a document without checking the rules, as Firebase's console does. */
  async function writeDocument(path: string, fields: Record<string, object>) {
    const mask = Object.keys(fields).map((name) => `updateMask.fieldPaths=${name}`)
    await send('PATCH', `${urlOf(path)}?${mask.join('&')}`, { fields })
  }

  const urlOf = (path: string) =>
    `http://127.0.0.1:${firestore}/v1/projects/${project}/databases/(default)/documents/${path}`

  async function setRules(content: string) {
    await send('PUT', `http://127.0.0.1:${firestore}/emulator/v1/projects/${project}:securityRules`, {
      rules: { files: [{ name: 'firestore.rules', content }] },
    })
  }

  /** Sets whether the service hides which emails have an account. */
  const setEmailPrivacy = (isOn: boolean) =>
    send('PATCH', config, { emailPrivacyConfig: { enableImprovedEmailPrivacy: isOn } })

  return {
    /** Deletes all accounts and documents, and turns email privacy off. */
    async reset() {
      await send('DELETE', `http://127.0.0.1:${auth}/emulator/v1/projects/${project}/accounts`)
      if (firestore !== 0) await deleteDocuments()
      await setEmailPrivacy(false)
    },
    setEmailPrivacy,
    createAccount: (email: string, password: string) => send('POST', accounts, { email, password }),
    /** Signs in. The returned function reads a collection with this one token, and resolves to the status. */
    async signIn(email: string, password: string) {
      const url = `http://127.0.0.1:${auth}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=any`
      const { idToken } = await send('POST', url, { email, password, returnSecureToken: true })
      const headers = { authorization: `Bearer ${idToken}` }
      return async (path: string) => (await fetch(urlOf(path), { headers })).status
    },
    disable: (email: string) => changeAccount(email, 'update', { disableUser: true }),
    revokeTokens(email: string) {
      // Token times have a resolution of one second, so a token issued in this second is older than the next.
      const validSince = String(Math.floor(Date.now() / 1000) + 1)
      return changeAccount(email, 'update', { validSince })
    },
    deleteAccount: (email: string) => changeAccount(email, 'delete'),
    setRules,
    /** Sets who may become a member, as docs/firebase.md tells. */
    setSignUp: (signUp: string) =>
      setRules(readFileSync('firestore.rules', 'utf8').replace("return 'open'", `return '${signUp}'`)),
    changeEmail: (email: string, to: string) => changeAccount(email, 'update', { email: to }),
    /** Enters the email that an account has now as that of its member, which may be new. */
    makeMember: async (email: string) =>
      writeDocument(`members/${await findUid(email)}`, { email: { stringValue: email } }),
    removeMember: async (email: string) =>
      writeDocument(`members/${await findUid(email)}`, {
        removedAt: { timestampValue: new Date().toISOString() },
      }),
    setLastSeen: async (email: string, timestampValue: string) =>
      writeDocument(`members/${await findUid(email)}`, { seenAt: { timestampValue } }),
    expireHandover(id: string) {
      const timestampValue = new Date(Date.now() - 1).toISOString()
      return writeDocument(`handovers/${id}`, { expiresAt: { timestampValue }, wipeAt: { timestampValue } })
    },
    /** Makes invitations of an account with ids of 1,400 characters. */
    async createInvitations(email: string, count: number, ttlMs = 24 * 60 * 60_000) {
      const byUid = { stringValue: await findUid(email) }
      const expiresAt = { timestampValue: new Date(Date.now() + ttlMs).toISOString() }
      const fields = { email: { nullValue: null }, by: { stringValue: email }, byUid, expiresAt }
      const root = urlOf('invitations')
      const writes = Array.from({ length: count }, (_, i) => ({
        update: { name: `${root.slice(root.indexOf('projects/'))}/${String(i).padStart(1400, 'x')}`, fields },
      }))
      for (const part of splitIntoChunks(writes, 500))
        await send('POST', `${urlOf('').slice(0, -1)}:commit`, { writes: part })
    },
    async countInvitations(): Promise<number> {
      const url = `${urlOf('').slice(0, -1)}:runAggregationQuery`
      const structuredQuery = { from: [{ collectionId: 'invitations' }] }
      const aggregations = [{ alias: 'count', count: {} }]
      const [found] = await send('POST', url, {
        structuredAggregationQuery: { structuredQuery, aggregations },
      })
      return Number(found.result.aggregateFields.count.integerValue)
    },
    exists: async (path: string) =>
      (await fetch(urlOf(path), { headers: { authorization: 'Bearer owner' } })).ok,
    async countAnonymous(): Promise<number> {
      const { userInfo = [] } = await send('POST', `${accounts}:query`, {})
      return userInfo.filter(({ email }: { email?: string }) => !email).length
    },
    createRecord(id: string, fields: Record<string, string>) {
      const values = Object.entries(fields).map(([name, stringValue]) => [name, { stringValue }])
      return writeDocument(`books/${id}`, Object.fromEntries(values))
    },
    /** Requests a password reset and completes it, as the recipient of the email would. */
    async completePasswordReset(email: string, newPassword: string) {
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
