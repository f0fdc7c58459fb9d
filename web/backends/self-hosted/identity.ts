import { paths } from '../../../contract/protocol.ts'
import { lazyService } from '../lazy-service.ts'
import type { IdentityService } from '../ports.ts'
import { throwOffline } from '../throw-offline.ts'
import { createRequests, ignore, type Send } from './client.ts'

export function createIdentityService(send: Send): IdentityService {
  const { read, readList, run, end } = createRequests(send)
  return {
    createAccount: (email, password, invitation) =>
      read('POST', paths.accounts, { body: { email, password, invitation } }),
    signIn: (email, password) => read('POST', paths.session, { body: { email, password } }),
    signOut: () => run('DELETE', paths.session).catch(ignore('not-signed-in')),
    changePassword: (password, newPassword) =>
      run('PUT', paths.password, { body: { password, newPassword } }),
    policy: () => read('GET', paths.policy),
    team: lazyService(() =>
      import('./on-demand/team.ts').then((module) => module.createTeamService(send), throwOffline),
    ),
    passkeys: lazyService(() =>
      import('./on-demand/passkeys.ts').then((module) => module.createPasskeyService(send), throwOffline),
    ),
    sso: lazyService(() =>
      import('./on-demand/sso.ts').then((module) => module.createSsoService(send), throwOffline),
    ),
    sessions: {
      list: () => readList(paths.sessions, 'sessions'),
      end: (id) => end(paths.sessionById(id)),
      endOthers: () => run('DELETE', `${paths.sessions}?except=current`),
    },
  }
}
