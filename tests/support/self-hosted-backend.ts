import { paths } from '../../contract/protocol.ts'
import { createSelfHosted } from '../../web/backends/self-hosted/create.ts'
import { gzipped, packedHeaders, type Upload } from '../../web/backends/self-hosted/upload.ts'
import type { BackendUnderTest, ClientUnderTest } from './backend-client.ts'
import { startTestServer } from './server.ts'

export interface SelfHostedUnderTest extends BackendUnderTest {
  connect(): Promise<ClientUnderTest & Browser>
}

/** The real server, and clients with a cookie jar and a cuttable line each, as browsers have. */
export async function startSelfHosted(): Promise<SelfHostedUnderTest> {
  const server = await startTestServer()
  const browsers: Browser[] = []
  return {
    async connect() {
      const browser = createBrowser()
      browsers.push(browser)
      return { ...createSelfHosted({ ...browser, base: server.url }), ...browser }
    },
    async endSessions(email) {
      for (const { fetch } of browsers) {
        const session = await fetch(server.url + paths.session)
        if (session.ok && (await session.json()).email === email) {
          await fetch(server.url + paths.session, { method: 'DELETE' })
        }
      }
    },
    stop: server.stop,
  }
}

type Browser = ReturnType<typeof createBrowser>

function createBrowser() {
  let cookie = ''
  let line = new AbortController()
  let held: { matches(url: string, init: RequestInit): boolean; released: Promise<void> } | undefined
  const fetch: typeof globalThis.fetch = async (input, init = {}) => {
    if (line.signal.aborted) throw new TypeError('fetch failed')
    const signal = init.signal ? AbortSignal.any([init.signal, line.signal]) : line.signal
    const headers = new Headers(init.headers)
    if (cookie) headers.set('cookie', cookie)
    const response = await globalThis.fetch(input, { ...init, headers, signal })
    const [set] = response.headers.getSetCookie()
    if (set) cookie = set.slice(0, set.indexOf(';'))
    if (held?.matches(String(input), init)) await held.released
    return response
  }
  /** Node has no XMLHttpRequest; the page's own way of sending is for the browser tests. */
  const upload: Upload = async (url, { method, headers, body, signal }, onProgress) => {
    const init = { method, headers: { ...headers, ...packedHeaders }, body: await gzipped(body), signal }
    const response = await fetch(url, init)
    onProgress(1)
    return response
  }
  return {
    fetch,
    upload,
    /** Lets the answers to such requests wait on the way until the returned function is called. */
    holdAnswers(matches: (url: string, init: RequestInit) => boolean): () => void {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = { matches, released: promise }
      return () => {
        held = undefined
        resolve()
      }
    },
    async cutNetwork() {
      line.abort()
    },
    async mendNetwork() {
      line = new AbortController()
    },
  }
}
