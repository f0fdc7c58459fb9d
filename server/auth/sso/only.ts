import { passkeyPaths } from '../../../contract/passkeys.ts'
import { paths } from '../../../contract/protocol.ts'
import { AppError } from '../../app-error.ts'
import type { Api } from '../../http/validation.ts'

/** What signs in otherwise, or prepares it. Passkeys can be listed and removed still. */
const otherWays = [
  `POST ${paths.accounts}`,
  `POST ${paths.session}`,
  `PUT ${paths.password}`,
  `POST ${paths.accounts}/:id/reset-link`,
  `POST ${paths.passwordResetCheck}`,
  `POST ${paths.passwordReset}`,
  `POST ${passkeyPaths.sessionOptions}`,
  `POST ${passkeyPaths.session}`,
  `POST ${passkeyPaths.options}`,
  `POST ${passkeyPaths.passkeys}`,
]

/** Refuses all other ways to sign in. Call it before the routes are added. */
export function allowSsoOnly(app: Api): void {
  app.addHook('onRoute', (route) => {
    if (!otherWays.includes(`${route.method} ${route.url}`)) return
    route.handler = () => {
      throw new AppError('sso-only')
    }
  })
}
