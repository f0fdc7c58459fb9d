import { createHash } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import type { SignUpPolicy } from '../../contract/accounts.ts'
import { paths } from '../../contract/protocol.ts'
import { createFolder } from '../../tests/support/cleanup.ts'
import { password, refusal, signInAt, type TestResponse } from '../../tests/support/http-client.ts'
import { ada } from '../../tests/support/people.ts'
import { provideServer } from '../../tests/support/provide-server.ts'
import { formatHead } from '../../tests/support/raw-http.ts'
import { recordLog, startTestServer, type TestServer } from '../../tests/support/server.ts'
import { settingsFor } from '../../tests/support/sso/real-provider.ts'

const credentials = { email: 'ada@example.com', password }

describe('protocol: bad requests', () => {
  const server = provideServer({ localOnly: false })

  it.each([
    ['malformed JSON', '{x', 'application/json', 400, 'invalid-request'],
    ['no body', '', 'application/json', 400, 'invalid-request'],
    ['a form', 'email=a', 'application/x-www-form-urlencoded', 415, 'unsupported-media-type'],
    ['plain text', '{}', 'text/plain', 415, 'unsupported-media-type'],
    ['a poisoned prototype', '{"__proto__":{}}', 'application/json', 400, 'invalid-request'],
    ['a body that is too large', `{"a":"${'x'.repeat(300_000)}"}`, 'application/json', 413, 'too-large'],
  ])('refuses %s', async (_, body, type, status, code) => {
    const response = await server.connect().post(paths.session, body, { 'content-type': type })
    expect(response).toMatchObject(refusal(status, code))
  })

  it.each(['gzip', 'br'])('refuses a small body that is compressed with %s, in words', async (encoding) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding }
    const body = gzipSync(JSON.stringify(credentials))
    const response = await fetch(server.url + paths.session, { method: 'POST', headers, body })
    expect(response.status).toBe(415)
    expect(await response.json()).toEqual({
      code: 'unsupported-media-type',
      field: 'content-encoding',
      message: 'Please send this JSON uncompressed.',
    })
  })

  it('returns 404 as JSON for unknown addresses', async () => {
    for (const path of ['/api', '/api/nothing', '/api/collections/other', '/x.js', '/.env', '/form'])
      expect(await server.connect().get(path)).toMatchObject(refusal(404, 'not-found'))
    expect((await fetch(`${server.url}/%zz`)).status).toBe(400)
  })

  it('accepts HTTP/1.0 without Host, and Expect: 100-continue', async () => {
    const expecting = formatHead('GET', '/healthz', { expect: '100-continue', connection: 'close' })
    const responses = [
      await sendRaw(server, 'GET /healthz HTTP/1.0\r\n\r\n'),
      await sendRaw(server, expecting),
    ]
    expect(responses[0]).toMatch(/^HTTP\/1\.1 200 /)
    expect(responses[1]).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /)
  })

  it.each([
    ['input that is not HTTP', 'NONSENSE\r\n\r\n', 400],
    ['another version of HTTP', 'GET /healthz HTTP/2.0\r\nHost: x\r\n\r\n', 505],
    ['two Host headers', 'GET /healthz HTTP/1.1\r\nHost: x\r\nhost: x\r\nConnection: close\r\n\r\n', 400],
  ])('refuses %s', async (_, text, status) => {
    const response = await sendRaw(server, text)
    expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(response).toContain('"code":"invalid-request"')
  })
})

describe('security: limits', () => {
  it('refuses writes beyond the queue as busy with Retry-After, and applies none of them partially', async () => {
    const { client } = await signInAt(startTestServer({ maxWaiting: 5 }))
    const responses = await Promise.all(Array.from({ length: 100 }, () => client.add(ada)))
    const refused = responses.filter(({ status }) => status === 503)
    for (const { body, headers } of refused) {
      expect([body.code, headers.get('retry-after')]).toEqual(['busy', '1'])
    }
    const added = responses.filter(({ status }) => status === 201).length
    expect(added + refused.length).toBe(100)
    expect(await client.documents()).toHaveLength(added)
  })

  it('refuses headers that are too large, and says that cookies may be', async () => {
    const server = await startTestServer()
    const response = await sendRaw(server, `GET / HTTP/1.1\r\nCookie: a=${'x'.repeat(20_000)}\r\n\r\n`)
    expect(response).toMatch(/^HTTP\/1\.1 431 .*Delete the cookies of this domain/s)
  })
})

describe('security: headers and other sites', () => {
  const server = provideServer()

  it('every API response has the security headers and is not cached', async () => {
    const client = await server.signIn()
    const responses = [
      await client.list(),
      await client.get(paths.session),
      await client.get('/api/nothing'),
      await client.post(paths.session, '{x'),
      await server.connect().list(),
      await server.connect().get('/%zz'),
      await client.get(paths.books, { 'if-none-match': '*' }),
    ]
    responses.push(parseRawResponse(await sendRaw(server, 'NONSENSE\r\nConnection: close\r\n\r\n')))
    for (const { status, headers, body } of responses) {
      if (status !== 304) expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
      if (status < 400) continue
      expect(body).toEqual(expect.objectContaining({ code: expect.any(String), message: expect.any(String) }))
    }
    const stream = await client.openChangeStream({ since: 0 })
    await stream.close()
    responses.push({ ...stream, body: '' })
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 404, 400, 401, 400, 304, 400, 200])
    for (const { headers } of responses) {
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
      )
      expect(headers.get('access-control-allow-origin')).toBeNull()
      expect(headers.get('server') ?? headers.get('x-powered-by')).toBeNull()
    }
  })

  it.each([
    ['Sec-Fetch-Site: cross-site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['Sec-Fetch-Site: same-site', { 'sec-fetch-site': 'same-site' }, 403],
    ['another Origin', { origin: 'https://evil.example' }, 403],
    ['Origin: null', { origin: 'null' }, 403],
    [
      'another Origin that claims to be same',
      { origin: 'http://evil', 'sec-fetch-site': 'same-origin' },
      403,
    ],
    ['its own Origin', () => ({ origin: server.url, 'sec-fetch-site': 'same-origin' }), 401],
    ['Sec-Fetch-Site: same-origin', { 'sec-fetch-site': 'same-origin' }, 401],
    ['neither header', {}, 401],
  ])('responds to an unsafe request with %s', async (_, headers, status) => {
    const calls = [
      ['POST', paths.session],
      ['DELETE', paths.book('x')],
      ['PATCH', paths.book('x')],
      ['PUT', paths.book('x')],
      ['POST', paths.books],
    ] as const
    for (const [method, path] of calls) {
      const own = typeof headers === 'function' ? headers() : headers
      const sent = { ...own, 'content-type': 'application/json' }
      const body =
        method === 'DELETE' ? undefined : JSON.stringify({ ...credentials, email: 'unknown@example.com' })
      expect((await server.send(method, path, sent, body)).status).toBe(status)
    }
  })

  it.each('evil.example evil.example:80 localhost.evil.example 127.0.0.1.evil.example 10.0.0.1'.split(' '))(
    'refuses Host: %s, which a site may resolve to this machine',
    async (host) => {
      for (const [method, path] of [
        ['GET', '/'],
        ['GET', paths.books],
        ['POST', paths.accounts],
      ] as const) {
        const { status, body } = await server.send(method, path, { host })
        expect([status, JSON.parse(body).code]).toEqual([403, 'cross-site'])
      }
    },
  )

  it.each(['localhost', 'localhost:3000', '127.0.0.1', '[::1]:3000'])('accepts Host: %s', async (host) => {
    expect((await server.send('GET', '/healthz', { host })).status).toBe(200)
  })

  it.each(['Forwarded', 'Via', 'X-Real-IP', 'X-Forwarded-For', 'X-Forwarded-Proto', 'X-Forwarded-Host'])(
    'refuses requests from an unconfigured proxy (%s) and says what to configure',
    async (name) => {
      for (const [method, path] of [
        ['GET', '/'],
        ['POST', paths.accounts],
      ] as const) {
        const { status, body } = await server.send(method, path, { [name]: '10.0.0.1' })
        const { code, field, message } = JSON.parse(body)
        expect([status, code, field]).toEqual([403, 'cross-site', name.toLowerCase()])
        expect(message).toMatch(/TRUST_PROXY.*SIGN_UP/)
      }
    },
  )
})

describe('security: hosts beyond loopback', () => {
  const server = provideServer({ localOnly: false, publicUrl: new URL('https://staff.example.com') })
  const signUp = async (headers: Record<string, string>, { send }: TestServer = server) => {
    const body = JSON.stringify({ email: `${Math.random()}@example.com`, password })
    return send('POST', paths.accounts, { 'content-type': 'application/json', ...headers }, body)
  }

  it.each(
    'rebound.evil.test rebound.evil.test. 10.0.0.1.evil.test staff.example.com.evil.test evil.test:3000'.split(
      ' ',
    ),
  )('refuses a page at %s, which its site has made to resolve to this server', async (host) => {
    const rebound = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' }
    const { status, body } = await signUp(rebound)
    expect([status, JSON.parse(body)]).toEqual([
      403,
      {
        code: 'cross-site',
        field: 'host',
        message: expect.stringMatching('is called staff.example.com, as PUBLIC_URL says'),
      },
    ])
    for (const path of ['/', paths.books, paths.session])
      expect((await server.send('GET', path, { host })).status).toBe(403)
    for (const path of ['/healthz', '/readyz'])
      expect((await server.send('GET', path, { host })).status).toBe(200)
  })

  it('accepts its own name, addresses, names that nobody can register, and requests without a Host', async () => {
    const hosts =
      `staff.example.com staff.example.com.:3000 192.168.1.7:3000 [fe80::1]:3000 localhost staffbook:3000
      staffbook.local staff.corp staff.home.arpa`.split(/\s+/)
    for (const host of hosts)
      expect([host, (await signUp({ host, origin: `http://${host}` })).status]).toEqual([host, 201])
    expect(await sendRaw(server, `GET ${paths.session} HTTP/1.0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 401 /)
  })

  it('accepts any name over HTTPS, as a trusted proxy reports it, and checks the name that it forwards', async () => {
    const proxied = await startTestServer({ trustProxy: ['loopback'] })
    const forwarded = { 'x-forwarded-host': 'staff.example.com', origin: 'https://staff.example.com' }
    const statusOf = async (headers: object) => (await signUp({ ...forwarded, ...headers }, proxied)).status
    expect(await statusOf({ 'x-forwarded-proto': 'https' })).toBe(201)
    expect(await statusOf({ 'x-forwarded-proto': 'http' })).toBe(403)
    expect(await statusOf({})).toBe(403)
  })

  it('refuses other names also over HTTPS if it knows its own: whoever reaches a proxy’s machine can claim HTTPS', async () => {
    const publicUrl = new URL('https://staff.example.com')
    const proxied = await startTestServer({ trustProxy: ['loopback'], localOnly: false, publicUrl })
    for (const [host, status] of [
      ['rebound.evil.test', 403],
      ['staff.example.com', 201],
    ] as const)
      expect((await signUp({ host, 'x-forwarded-proto': 'https' }, proxied)).status).toBe(status)
  })
})

describe('behind a proxy that spells the address in another way', () => {
  const publicUrl = new URL('https://staff.example.com')
  const { logger, text: readLog } = recordLog()
  const named = provideServer({ trustProxy: ['loopback'], localOnly: false, publicUrl, logger })
  const unnamed = provideServer({ trustProxy: ['loopback'], localOnly: false })
  const https = { 'x-forwarded-proto': 'https', origin: 'https://staff.example.com' }

  const statusAt = async ({ send }: TestServer, headers: Record<string, string>) => {
    const body = JSON.stringify({ email: 'unknown@example.com', password })
    return (await send('POST', paths.session, { 'content-type': 'application/json', ...headers }, body))
      .status
  }

  it.each<Record<string, string>>([
    { host: 'staff.example.com:443' },
    { host: 'Staff.Example.Com' },
    { host: 'staff.example.com.' },
    { host: '10.0.0.5', 'x-forwarded-host': 'staff.example.com:443' },
    { host: '10.0.0.5', 'x-forwarded-host': 'STAFF.example.com' },
    { host: 'staff.example.com:8080', 'sec-fetch-site': 'same-origin' },
  ])('accepts the origin of the page with %o', async (headers) => {
    for (const server of [named, unnamed]) expect(await statusAt(server, { ...https, ...headers })).toBe(401)
  })

  it.each<Record<string, string>>([
    { host: 'staff.example.com', 'x-forwarded-proto': 'https, http' },
    { host: 'app', 'x-forwarded-host': 'staff.example.com, app' },
    { host: 'localhost:3000' },
  ])('accepts the origin that PUBLIC_URL names with %o', async (headers) => {
    expect(await statusAt(named, { ...https, ...headers })).toBe(401)
  })

  it.each<Record<string, string>>([
    { host: 'staff.example.com:443', origin: 'https://staff.example.com:8443' },
    { host: 'staff.example.com', origin: 'https://staff.example.com.evil.test' },
    { host: 'staff.example.com', origin: 'https://evil.test', 'sec-fetch-site': 'same-origin' },
    { host: 'staff.example.com', origin: 'null' },
    { host: 'staff.example.com', origin: 'https://staff.example.com', 'sec-fetch-site': 'same-site' },
  ])('refuses %o', async (headers) => {
    for (const server of [named, unnamed]) expect(await statusAt(server, { ...https, ...headers })).toBe(403)
  })

  it('logs what it has compared with what', async () => {
    await statusAt(named, { ...https, host: 'staff.example.com', origin: 'https://other.example.com' })
    await statusAt(named, { ...https, host: 'edge.example.net' })
    const refused = readLog()
      .split('\n')
      .filter((line) => line.includes('request refused'))
    expect(refused.at(-2)).toContain(
      '"origin":"https://other.example.com","host":"staff.example.com","publicUrl":"https://staff.example.com"',
    )
    expect(refused.at(-1)).toContain('"host":"edge.example.net","ownName":"staff.example.com"')
  })
})

describe('the built page', () => {
  const home = createFolder({
    'outside.txt': 'outside',
    'dist/index.html': '<title>page</title>',
    'dist/index.html.br': 'compressed page',
    'dist/assets/main-abc.js': 'let a',
    'dist/assets/main-abc.js.br': 'compressed',
    'dist/assets/main-abc.js.map': 'sources',
    'dist/.env': 'secret',
  })
  const dist = join(home, 'dist')
  const pagePolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; object-src 'none'; base-uri 'none'; " +
    "form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types service-worker import-worker"
  const server = provideServer({ pageDir: dist })
  afterAll(() => rmSync(home, { recursive: true }))

  it.each(['/', '/signin', '/form', '/login', '/any/other/path', '/form?x=1.5', '/apiary', '/caf%C3%A9/'])(
    '%s is the page, revalidated on each load',
    async (path) => {
      const response = await fetch(server.url + path)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(response.headers.get('cache-control')).toBe('no-cache')
      expect(response.headers.get('content-security-policy')).toBe(pagePolicy)
      expect(response.headers.get('x-frame-options')).toBe('DENY')
      expect(response.headers.get('referrer-policy')).toBe('no-referrer')
      expect(response.headers.get('permissions-policy')).toContain('camera=()')
      expect(response.headers.get('cross-origin-opener-policy')).toBe('same-origin')
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(await response.text()).toBe('<title>page</title>')
    },
  )

  it('the page is compressed if accepted, unchanged with its ETag, and that of the latest build', async () => {
    const plain = await server.send('GET', '/', {})
    const compressed = await server.send('GET', '/signin', { 'accept-encoding': 'gzip, br' })
    expect([plain.body, compressed.body]).toEqual(['<title>page</title>', 'compressed page'])
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(compressed.headers['content-encoding']).toBe('br')
    expect(compressed.headers.vary).toBe('accept-encoding')
    const etag = String(compressed.headers.etag)
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*'])
      expect((await server.send('GET', '/form', { 'if-none-match': tags })).status, tags).toBe(304)
    writeFileSync(join(dist, 'index.html'), '<title>new page</title>')
    const changed = await server.send('GET', '/', { 'if-none-match': etag })
    expect([changed.status, changed.body]).toEqual([200, '<title>new page</title>'])
    writeFileSync(join(dist, 'index.html'), '<title>page</title>')
  })

  it.each([
    ['single sign-on is the only way in', true, 'open', 'sso-only'],
    ['sign-up is restricted', false, 'invited', 'sign-up-restricted'],
    ['both', true, 'closed', 'sso-only, sign-up-restricted'],
  ] as const)(
    'says in a header of the page, also of a stored one, that %s',
    async (_, isOnly, signUp, header) => {
      const start = (options: { isOnly: boolean; signUp: SignUpPolicy }) =>
        startTestServer({
          pageDir: dist,
          sso: settingsFor('https://login.example.com', { isOnly: options.isOnly }),
          signUp: options.signUp,
        })
      const [restricted, open] = await Promise.all([
        start({ isOnly, signUp }),
        start({ isOnly: false, signUp: 'open' }),
      ])
      const ask = (at: { url: string }, path: string, etag = '') =>
        fetch(`${at.url}${path}`, { headers: { 'if-none-match': etag } })
      const page = await ask(restricted, '/signin')
      const etag = String(page.headers.get('etag'))
      const stored = await ask(restricted, '/', etag)
      expect([page.status, page.headers.get('server-timing')]).toEqual([200, header])
      expect([stored.status, stored.headers.get('server-timing')]).toEqual([304, header])
      // Browsers keep headers that a 304 lacks.
      const changed = await ask(open, '/', etag)
      expect([changed.status, changed.headers.get('server-timing')]).toEqual([200, null])
    },
  )

  it('its own scripts, and no others within it, are allowed by their hashes', async () => {
    const scripts = ['\nlet a = 1\n', 'let b = 2']
    const elements = scripts.map((script) => `<script>${script}</script>`)
    const page = `${elements.join('')}<script src="/c.js"></script>`
    const withScripts = await startTestServer({ pageDir: createFolder({ 'index.html': page }) })
    const { headers } = await fetch(withScripts.url)
    const hashes = scripts.map((script) => createHash('sha256').update(script).digest('base64'))
    const sources = hashes.map((hash) => `'sha256-${hash}'`).join(' ')
    expect(headers.get('content-security-policy')).toContain(`; script-src 'self' ${sources}; `)
  })

  it('leads password managers to the dialog that changes the password', async () => {
    const { status, headers } = await server.send('GET', '/.well-known/change-password', browserHeaders)
    expect([status, headers.location]).toEqual([302, '/form#change-password'])
  })

  it('assets are cached indefinitely and sent in the compressed form of the build', async () => {
    const { status, headers, body } = await server.send('GET', '/assets/main-abc.js', {
      'accept-encoding': 'br',
    })
    expect([status, body]).toEqual([200, 'compressed'])
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(headers['content-encoding']).toBe('br')
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(headers['x-content-type-options']).toBe('nosniff')
  })

  it.each(
    `/.env /assets /assets/ /assets/main-abc.js.map /assets/missing.js /../outside.txt /..%2foutside.txt /%2e%2e/outside.txt
     /assets/..%2f..%2foutside.txt /staffbook.sqlite /api/none /.git/config /.git/HEAD /%2egit/config /.env/x /%2eenv/x
     /..%2f..%2fetc/passwd /x/../../etc/passwd /x%5c..%5cpasswd /x%5cpasswd /staffbook.sqlite/x /form%00 /form#%ff
     /api%2fnothing /%61pi/nothing //api/nothing /API/collections/books /readyz/ //readyz /Readyz /healthz/x`.split(
      /\s+/,
    ),
  )('%s is 404 and not the page', async (path) => {
    const { status, body } = await server.send('GET', path, browserHeaders)
    expect([status, JSON.parse(body).code]).toEqual([404, 'not-found'])
  })

  it.each(['/anna.smith', '/login.html', '/signin.', '/form.'])(
    '%s is the page for navigation and 404 for other requests',
    async (path) => {
      expect(await server.send('GET', path, browserHeaders)).toMatchObject({
        status: 200,
        body: '<title>page</title>',
      })
      expect((await server.send('GET', path)).status).toBe(404)
    },
  )

  it.each([
    ['a malformed path', 'GET', '/form/%ff', 400],
    ['an unsafe method', 'POST', '/form', 404],
  ])('%s is refused', async (_, method, path, status) => {
    expect((await server.send(method, path)).status).toBe(status)
  })
})

/** The Accept header of a browser navigation. */
const browserHeaders = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

const sendRaw = ({ open }: TestServer, text: string) => open(text).response

function parseRawResponse(text: string): TestResponse {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const [status, ...lines] = head.split('\r\n')
  const headers = new Headers(lines.map((line) => line.split(/: (.*)/).slice(0, 2) as [string, string]))
  return { status: Number(status?.split(' ')[1]), headers, body: JSON.parse(body) }
}
