import { once } from 'node:events'
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2'
import { request as httpsRequest } from 'node:https'

/** A browser's view of a site at https://localhost, over HTTP/2, with a cookie. */
export function createBrowser(port: number, ca: Buffer) {
  const origin = `https://localhost:${port}`
  let cookie = ''
  let session: ClientHttp2Session | undefined

  function open(method: string, path: string, headers: Record<string, string>) {
    if (!session || session.closed || session.destroyed) {
      session = connect(origin, { ca })
      session.on('error', () => {})
    }
    const sameSite = { origin, 'sec-fetch-site': 'same-origin' }
    return session.request({ ':method': method, ':path': path, cookie, ...sameSite, ...headers })
  }

  return {
    origin,
    cookie: () => cookie,
    async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
      const json = body === undefined ? undefined : JSON.stringify(body)
      const stream = open(method, path, { ...(json && { 'content-type': 'application/json' }), ...headers })
      stream.end(json)
      const [responseHeaders] = (await once(stream, 'response')) as [IncomingHttpHeaders]
      const chunks: Buffer[] = await stream.toArray()
      const [setCookie] = [responseHeaders['set-cookie'] ?? []].flat()
      if (setCookie) cookie = setCookie.split(';')[0] ?? ''
      const status = Number(responseHeaders[':status'])
      return { status, headers: responseHeaders, body: Buffer.concat(chunks).toString() }
    },
    /** Collects the text of an event stream. */
    openEvents(path: string) {
      const stream = open('GET', path, {})
      const received = { text: '' }
      stream.on('data', (bytes) => {
        received.text += bytes
      })
      stream.on('error', () => {})
      stream.end()
      return { received, close: () => stream.close() }
    },
    close: () => session?.close(),
  }
}

/** Speaks HTTP/1.1: GET, or POST of a body. Resolves with the status. */
export function callHttp1(port: number, ca: Buffer, path: string, body?: string): Promise<number> {
  const posted = body !== undefined && {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': body.length },
  }
  return new Promise((resolve, reject) => {
    const options = { port, ca, path, host: 'localhost', agent: false, ...posted } as const
    const request = httpsRequest(options, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    request.on('error', reject).end(body)
  })
}
