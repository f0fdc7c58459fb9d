import { type ServerProcess, startServer } from '../e2e/backend.ts'
import { findFreePort } from '../unprivileged.ts'
import { clientId, clientSecret, type ProviderPerson, startRealProvider } from './real-provider.ts'

/** Starts our server with a provider on another site for these people. `stop` stops both. */
export async function startSsoServer(
  people: ProviderPerson[],
  settings: Record<string, string> = {},
): Promise<ServerProcess> {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const provider = await startRealProvider(people, { host: 'localhost', redirectUris: [`${url}/signin`] })
  const server = await startServer({
    PORT: String(port),
    PUBLIC_URL: url,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    OIDC_NAME: 'Example Login',
    ...settings,
  })
  return {
    ...server,
    async stop() {
      await server.stop()
      await provider.stop()
    },
  }
}
