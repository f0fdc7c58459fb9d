import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { createJar } from '../support/sso/jar.ts'
import { redirectUri, settingsFor } from '../support/sso/real-provider.ts'
import { findFreePort } from '../support/unprivileged.ts'
import { expectSignIns } from './expect-sign-ins.ts'
import { createSite } from './programs.ts'

/** It decodes nothing in a header, so it would not know other characters again. */
const clientSecret = 'secretOfTheClient1'
const user = { username: 'ada', password: 'a password at the provider', email: 'ada@example.com' }

const configuration = (folder: string, port: number) => `
port = ${port}
bind_address = "127.0.0.1"
external_url = "http://localhost:${port}"
login_url = "login.html"
api_prefix = "api"
log_mode = "file"
log_level = "ERROR"
log_file = "${join(folder, 'log')}"
cookie_domain = "localhost"
cookie_secure = 0
session_expiration = 3600
session_key = "GLEWLWYD2_SESSION_ID"
admin_scope = "g_admin"
profile_scope = "g_profile"
user_module_path = "/usr/lib/glewlwyd/user"
client_module_path = "/usr/lib/glewlwyd/client"
user_auth_scheme_module_path = "/usr/lib/glewlwyd/scheme"
plugin_module_path = "/usr/lib/glewlwyd/plugin"
hash_algorithm = "SHA512"
database = { type = "sqlite3"; path = "${join(folder, 'db')}"; };
`

/** What its page of administration would send for an issuer that signs with RS256. */
function describeIssuer(iss: string) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    ...{ iss, 'jwt-type': 'rsa', 'jwt-key-size': '256' },
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    cert: publicKey.export({ type: 'spki', format: 'pem' }),
    ...{ 'access-token-duration': 3600, 'refresh-token-duration': 3600, 'code-duration': 600 },
    ...{ 'auth-type-code-enabled': true, 'auth-type-id-token-enabled': true, 'allow-non-oidc': false },
    ...{ 'jwks-show': true, 'subject-type': 'public', 'pkce-allowed': true, 'allowed-scope': ['openid'] },
    ...{ 'email-claim': 'mandatory', 'name-claim': 'no', 'scope-claim': 'no' },
  }
}

/** Debian's glewlwyd, a provider in C, whose client authenticates only in this way. */
async function startGlewlwyd(method: string) {
  const site = createSite()
  const port = await findFreePort()
  const url = `http://localhost:${port}`
  const schema = readFileSync('/usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz')
  const database = new DatabaseSync(join(site.folder, 'db'))
  database.exec(gunzipSync(schema).toString())
  database.close()
  const file = join(site.folder, 'glewlwyd.conf')
  writeFileSync(file, configuration(site.folder, port))
  site.start('glewlwyd', [`--config-file=${file}`])
  await expect.poll(() => fetch(url).catch(() => undefined)).toBeDefined()

  const jar = createJar()
  async function call(method: string, path: string, body: object) {
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: { cookie: jar.header(), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    jar.keep(response)
    expect([path, response.status]).toEqual([path, 200])
  }
  await call('POST', '/auth', { username: 'admin', password: 'password' })
  const issuer = {
    module: 'oidc',
    name: 'oidc',
    display_name: 'OIDC',
    parameters: describeIssuer(`${url}/api/oidc`),
    enabled: true,
  }
  await call('POST', '/mod/plugin', issuer)
  await call('POST', '/client', {
    ...{ client_id: 'staffbook', name: 'Staffbook', enabled: true, confidential: true },
    ...{ client_secret: clientSecret, password: clientSecret, redirect_uri: [redirectUri] },
    ...{ authorization_type: ['code'], scope: ['openid'], token_endpoint_auth_method: [method] },
  })
  await call('POST', '/user', { ...user, name: 'Ada', enabled: true, scope: ['g_profile', 'openid'] })
  jar.cookies.clear()
  await call('POST', '/auth', { username: user.username, password: user.password })
  await call('PUT', '/auth/grant/staffbook', { scope: 'openid' })
  return {
    issuer: `${url}/api/oidc`,
    url,
    /** Follows the redirects of somebody who has signed in there and agreed. */
    async visit(address: URL): Promise<string> {
      // Its page of sign-in adds this when somebody has agreed.
      const response = await fetch(`${address}&g_continue`, {
        redirect: 'manual',
        headers: { cookie: jar.header() },
      })
      return new URL(response.headers.get('location') ?? '', address).search
    },
  }
}

describe.each(['client_secret_basic', 'client_secret_post'])('glewlwyd, which wants %s', (method) => {
  let provider: Awaited<ReturnType<typeof startGlewlwyd>>

  beforeEach(async () => {
    provider = await startGlewlwyd(method)
  })

  it('signs people in', async () => {
    // Like Entra, it says nothing of whether an email is verified.
    const sso = settingsFor(provider.issuer, { clientSecret, trustsEmail: true, scopes: 'openid' })
    await expectSignIns(sso, user.email, provider.visit)
  })
})
