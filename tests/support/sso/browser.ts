import { type Confirmation, ssoPaths } from '../../../contract/identity/sso.ts'
import { createJar, type Jar } from './jar.ts'
import { sendSignIn } from './real-provider.ts'

export type TestBrowser = ReturnType<typeof createTestBrowser>

/** A browser that visits our server and the provider. */
export function createTestBrowser(url: string, jar: Jar = createJar(), providerJar: Jar = createJar()) {
  async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(url + path, {
      method,
      headers: {
        cookie: jar.header(),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    jar.keep(response)
    const text = await response.text()
    return { status: response.status, body: text ? JSON.parse(text) : undefined }
  }

  /** Asks for the address of the provider. */
  const begin = async (path: string = ssoPaths.sessionOptions): Promise<URL> =>
    new URL((await call('POST', path)).body.url)

  return {
    jar,
    call,
    begin,
    get: (path: string) => call('GET', path),
    post: (path: string, body?: unknown) => call('POST', path, body),
    /** Signs in at the provider, and returns the query with which it sends the browser back. */
    visit: (address: URL, login: string) => sendSignIn(address, login, providerJar),
    answer: (response: string, invitation?: string) =>
      call('POST', ssoPaths.session, { response, ...(invitation && { invitation }) }),
    /** Signs in here by way of the provider. */
    async signIn(login: string, invitation?: string) {
      const response = await sendSignIn(await begin(), login, providerJar)
      return call('POST', ssoPaths.session, { response, ...(invitation && { invitation }) })
    },
    async confirm(login: string) {
      const response = await sendSignIn(await begin(ssoPaths.confirmationOptions), login, providerJar)
      return call('POST', ssoPaths.confirmation, { response })
    },
    confirmation: async (): Promise<Confirmation> => (await call('GET', ssoPaths.confirmation)).body,
  }
}
