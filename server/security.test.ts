import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { paths } from '../contract/protocol.ts'
import { openText, sealText } from './storage/sealing.ts'
import { startTestServer, type TestServer } from './testing.ts'
import { createClient, signedIn } from './testing-client.ts'

/** What docs/security.md says of the service as a whole, and no part's own test proves. */
describe('issue 3, security: ASVS', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer({ trustProxy: ['loopback'], localOnly: false })
  })
  afterAll(() => server.stop())

  it('3.4.1 over HTTPS every browser is told to stay there for two years, on subdomains too', async () => {
    const https = { 'x-forwarded-proto': 'https' }
    for (const path of ['/healthz', paths.books, '/nothing.js']) {
      const { headers } = await createClient(server.url).call('GET', path, undefined, https)
      expect(headers.get('strict-transport-security')).toBe('max-age=63072000; includeSubDomains')
    }
  })

  it('4.1.2 plain HTTP is never led on to HTTPS behind the sender’s back', async () => {
    for (const path of ['/', '/healthz', paths.books, paths.session]) {
      const { status } = await fetch(server.url + path, { redirect: 'manual' })
      expect(status < 300 || status >= 400).toBe(true)
    }
  })

  it('6.3.2 a new register has no account', async () => {
    const fresh = await startTestServer()
    expect(await fresh.storage.accounts.list()).toEqual([])
    await fresh.stop()
  })

  it('11.3.3 sealed text opens neither where a bit of it has changed nor in another place', () => {
    const key = Buffer.alloc(32, 7)
    const sealed = sealText(key, 'its place', 'a secret')
    expect(openText(key, 'its place', sealed)).toBe('a secret')
    expect(() => openText(key, 'another place', sealed)).toThrow()
    for (const at of sealed.keys()) {
      const changed = Uint8Array.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => openText(key, 'its place', changed)).toThrow()
    }
  })

  it('13.4.4 TRACE repeats nothing of what was sent', async () => {
    const sent = request(server.url + paths.books, { method: 'TRACE', headers: { cookie: 'session=told' } })
    const [status, text] = await new Promise<[number | undefined, string]>((resolve, reject) => {
      sent.on('error', reject).on('response', async (response) => {
        resolve([response.statusCode, Buffer.concat(await response.toArray()).toString()])
      })
      sent.end()
    })
    expect(status).toBe(404)
    expect(text).not.toContain('told')
  })

  it('16.5.1 what nobody expected is answered without a word of it', async () => {
    const client = await signedIn(server.url)
    const { books } = server.storage
    const { add } = books
    books.add = () => Promise.reject(new Error('INSERT INTO books at /srv/staffbook'))
    const { status, body } = await client.add({ eName: 'Ada', email: 'ada@example.com', password: 'p' })
    books.add = add
    expect([status, body]).toEqual([
      500,
      { code: 'server-error', message: 'Something went wrong on the server.' },
    ])
  })
})
