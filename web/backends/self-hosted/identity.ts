import type { IdentityPolicy, SessionInfo, SignedIn, User } from '../../../contract/accounts.ts'
import { paths } from '../../../contract/protocol.ts'
import { lazyService } from '../lazy-service.ts'
import type { IdentityService } from '../ports.ts'
import { ignore, readJson, type Send, throwOffline } from './client.ts'

export function createIdentityService(send: Send): IdentityService {
  return {
    createAccount: (email, password, invitation) =>
      send('POST', paths.accounts, { body: { email, password, invitation } }).then(readJson<User>),
    signIn: (email, password) =>
      send('POST', paths.session, { body: { email, password } }).then(readJson<SignedIn>),
    async signOut() {
      await send('DELETE', paths.session).catch(ignore('not-signed-in'))
    },
    async changePassword(password, newPassword) {
      await send('PUT', paths.password, { body: { password, newPassword } })
    },
    policy: () => send('GET', paths.policy).then(readJson<IdentityPolicy>),
    team: lazyService(() =>
      import('./on-demand/team.ts').then(({ createTeamService }) => createTeamService(send), throwOffline),
    ),
    passkeys: lazyService(() =>
      import('./on-demand/passkeys.ts').then(
        ({ createPasskeyService }) => createPasskeyService(send),
        throwOffline,
      ),
    ),
    sessions: {
      async list() {
        const response = await send('GET', paths.sessions)
        return (await readJson<{ sessions: SessionInfo[] }>(response)).sessions
      },
      async end(id) {
        await send('DELETE', paths.sessionById(id)).catch(ignore('not-found'))
      },
      async endOthers() {
        await send('DELETE', `${paths.sessions}?except=current`)
      },
    },
  }
}
