import { describe, expect, it } from 'vitest'
import { paths } from '../contract/protocol.ts'
import { ada } from '../tests/support/people.ts'
import { provideServer } from '../tests/support/provide-server.ts'
import { formatHead } from '../tests/support/raw-http.ts'
import { startTestServer } from '../tests/support/server.ts'
import { decryptText, encryptText } from './storage/encryption/field-encryption.ts'

/** Claims of docs/security.md about the whole service that no other test covers. */
describe('security: ASVS', () => {
  const server = provideServer({ trustProxy: ['loopback'], localOnly: false })

  it('4.1.2 never redirects plain HTTP to HTTPS', async () => {
    for (const path of ['/', '/healthz', paths.books, paths.session]) {
      const { status } = await fetch(server.url + path, { redirect: 'manual' })
      expect(status < 300 || status >= 400).toBe(true)
    }
  })

  it('4.2.1 refuses a request with both Content-Length and Transfer-Encoding, and reads nothing after it', async () => {
    const head = formatHead('POST', paths.session, { 'content-length': 5, 'transfer-encoding': 'chunked' })
    const hidden = formatHead('GET', '/healthz')
    const response = await server.open(`${head}0\r\n\r\n${hidden}`).response
    expect(response).toMatch(/^HTTP\/1\.1 400 /)
    expect(response.match(/HTTP\/1\.1/g)).toHaveLength(1)
  })

  it('6.2.8 verifies passwords exactly, without truncation or case folding', async () => {
    const client = server.connect()
    const email = 'exact@example.com'
    const password = ` Long ${'and longer '.repeat(10)}`
    expect((await client.signUp(email, password)).status).toBe(201)
    const others = [password.trim(), password.toLowerCase(), password.slice(0, 72), `${password} `]
    for (const other of others) expect((await client.signIn(email, other)).status).toBe(401)
    expect((await client.signIn(email, password)).status).toBe(200)
  })

  it('6.3.2 creates no default accounts', async () => {
    expect(await (await startTestServer()).storage.accounts.list()).toEqual([])
  })

  it('11.3.3 does not decrypt text that was modified or moved to another record', () => {
    const key = Buffer.alloc(32, 7)
    const encrypted = encryptText(key, 'a context', 'a secret')
    expect(decryptText(key, 'a context', encrypted)).toBe('a secret')
    expect(() => decryptText(key, 'another context', encrypted)).toThrow()
    for (const at of encrypted.keys()) {
      const changed = Uint8Array.from(encrypted)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => decryptText(key, 'a context', changed)).toThrow()
    }
  })

  it('13.4.4 does not echo TRACE requests', async () => {
    const headers = { cookie: 'session=secret' }
    const { status, body } = await server.send('TRACE', paths.books, headers)
    expect([status, body.includes('secret')]).toEqual([404, false])
  })

  it('16.5.1 does not reveal unexpected errors', async () => {
    const client = await server.signIn()
    const { employees } = server.storage
    const { add } = employees
    employees.add = () => Promise.reject(new Error('INSERT INTO books at /srv/staffbook'))
    const { status, body } = await client.add(ada)
    employees.add = add
    const error = { code: 'server-error', message: 'Something went wrong on the server.' }
    expect([status, body]).toEqual([500, error])
  })
})
