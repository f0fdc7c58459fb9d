import { toEmailKey } from '../../contract/accounts.ts'
import { paths } from '../../contract/protocol.ts'
import { createSelfHostedBackend } from '../../web/backends/self-hosted/backend.ts'
import { gzip, gzipHeaders, type Upload } from '../../web/backends/self-hosted/upload.ts'
import type { TestBackend } from './backend-client.ts'
import { startTestServer, type TestServerOptions } from './server.ts'

/** Starts the real server. Each client has a cookie jar and a network of its own. */
export async function startSelfHostedBackend(options: TestServerOptions = {}) {
  const server = await startTestServer(options)
  const browsers: Browser[] = []
  return {
    async connect() {
      const browser = createBrowser()
      browsers.push(browser)
      return { ...createSelfHostedBackend({ ...browser, base: server.url }), ...browser }
    },
    async endSessions(email: string) {
      for (const { fetch } of browsers) {
        const session = await fetch(server.url + paths.session)
        if (session.ok && (await session.json()).email === email)
          await fetch(server.url + paths.session, { method: 'DELETE' })
      }
    },
    /** Makes an invitation as the operator does. Returns its token. */
    invite: async () => (await server.links.invite(null)).token,
    /** Removes an account as the operator does. */
    async removeAccount(email: string) {
      const { accounts } = server.storage
      const account = await accounts.findByEmailKey(toEmailKey(email))
      if (account) await accounts.remove(account.uid)
    },
    stop: server.stop,
  } satisfies TestBackend & Record<string, unknown>
}

type Browser = ReturnType<typeof createBrowser>

/** A cookie jar and a network for `createSelfHostedBackend`. */
export function createBrowser() {
  let cookie = ''
  let network = new AbortController()
  let heldResponse:
    | { matches(url: string, init: RequestInit): boolean; onHeld(): void; released: Promise<void> }
    | undefined
  const fetch: typeof globalThis.fetch = async (input, init = {}) => {
    if (network.signal.aborted) throw new TypeError('fetch failed')
    const signal = init.signal ? AbortSignal.any([init.signal, network.signal]) : network.signal
    const headers = new Headers(init.headers)
    if (cookie) headers.set('cookie', cookie)
    const response = await globalThis.fetch(input, { ...init, headers, signal })
    const [setCookie] = response.headers.getSetCookie()
    if (setCookie) cookie = setCookie.slice(0, setCookie.indexOf(';'))
    if (heldResponse?.matches(String(input), init)) {
      heldResponse.onHeld()
      await heldResponse.released
    }
    return response
  }
  /** Replaces the page's upload, which needs XMLHttpRequest; the browser tests cover that one. */
  const upload: Upload = async (url, { method, headers, body, signal }, onProgress) => {
    const init = { method, headers: { ...headers, ...gzipHeaders }, body: await gzip(body), signal }
    const response = await fetch(url, init)
    onProgress(1)
    return response
  }
  return {
    fetch,
    upload,
    /** Delays the responses to matching requests until the returned function is called. `held` waits for the first. */
    holdResponses(matches: (url: string, init: RequestInit) => boolean) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const { promise: held, resolve: onHeld } = Promise.withResolvers<void>()
      heldResponse = { matches, onHeld, released: promise }
      const release = () => {
        heldResponse = undefined
        resolve()
      }
      return Object.assign(release, { held })
    },
    async cutNetwork() {
      network.abort()
    },
    async restoreNetwork() {
      network = new AbortController()
    },
  }
}
