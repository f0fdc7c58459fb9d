import type { IdentityPolicy, SessionInfo, User } from '../../../contract/accounts.ts'
import { paths } from '../../../contract/protocol.ts'
import { type IdentityService, ServiceError } from '../ports.ts'
import { readJson, type Send, throwOffline } from './client.ts'

export function createIdentityService(send: Send): IdentityService {
  return {
    async createAccount(email, password, invitation) {
      return readJson<User>(await send('POST', paths.accounts, { body: { email, password, invitation } }))
    },

    async signIn(email, password) {
      return readJson<User>(await send('POST', paths.session, { body: { email, password } }))
    },

    async signOut() {
      await send('DELETE', paths.session).catch((error) => {
        const isGoneAlready = error instanceof ServiceError && error.code === 'not-signed-in'
        if (!isGoneAlready) throw error
      })
    },

    async changePassword(password, newPassword) {
      await send('PUT', paths.password, { body: { password, newPassword } })
    },

    async policy() {
      return readJson<IdentityPolicy>(await send('GET', paths.policy))
    },

    loadTeam: () =>
      import('./on-demand/team.ts').then(({ createTeamService }) => createTeamService(send), throwOffline),

    sessions: {
      async list() {
        const { sessions } = await readJson<{ sessions: SessionInfo[] }>(await send('GET', paths.sessions))
        return sessions
      },

      async end(id) {
        await send('DELETE', paths.sessionById(id)).catch((error) => {
          if (!(error instanceof ServiceError && error.code === 'not-found')) throw error
        })
      },

      async endOthers() {
        await send('DELETE', `${paths.sessions}?except=current`)
      },
    },
  }
}
