import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ssoPaths } from '../../contract/identity/sso.ts'
import { createJar } from '../support/sso/jar.ts'
import { redirectUri, settingsFor } from '../support/sso/real-provider.ts'
import { findFreePort } from '../support/unprivileged.ts'
import { expectSignIns } from './expect-sign-ins.ts'
import { createSite } from './programs.ts'

/** One of the people of its demonstration mode. */
const user = { user: 'dwho', password: 'dwho', email: 'dwho@badwolf.org' }

/** It does not decode what is in a header of `basic`, so it refuses this one there, and knows it in a body. */
const clientSecret = 'secret of + the client'

const settings = (folder: string) => `
[all]
logLevel = error
localSessionStorage =
[configuration]
type = File
dirName = ${folder}
[portal]
templateDir = /usr/share/lemonldap-ng/portal/templates
`

/** What its page of administration would store. */
function configure(folder: string, portal: string) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const storage = (name: string) => ({ Directory: join(folder, name), LockDirectory: join(folder, name) })
  const client = {
    ...{ ClientID: 'staffbook', ClientSecret: clientSecret, RedirectUris: redirectUri },
    ...{ IDTokenSignAlg: 'RS256', BypassConsent: 1, IDTokenForceClaims: 1, UserIDAttr: 'uid' },
  }
  return {
    ...{ cfgNum: 1, cfgAuthor: 'a test', cfgDate: '1', cfgVersion: '2.16.1' },
    ...{ key: 'a key for its cookies', requireToken: 0 },
    ...{ portal, domain: 'localhost', cookieName: 'lemonldap', securedCookie: 0, whatToTrace: 'uid' },
    ...{ authentication: 'Demo', userDB: 'Same', passwordDB: 'Demo', registerDB: 'Demo' },
    demoExportedVars: { cn: 'cn', mail: 'mail', uid: 'uid' },
    globalStorage: 'Apache::Session::File',
    globalStorageOptions: storage('sessions'),
    persistentStorage: 'Apache::Session::File',
    persistentStorageOptions: storage('persistent'),
    locationRules: { localhost: { default: 'accept' } },
    ...{ issuerDBOpenIDConnectActivation: 1, oidcServiceAllowAuthorizationCodeFlow: 1 },
    oidcServicePrivateKeySig: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    oidcServicePublicKeySig: publicKey.export({ type: 'spki', format: 'pem' }),
    oidcServiceKeyIdSig: 'key',
    oidcRPMetaDataOptions: {
      staffbook: Object.fromEntries(
        Object.entries(client).map(([name, value]) => [`oidcRPMetaDataOptions${name}`, value]),
      ),
    },
    oidcRPMetaDataExportedVars: { staffbook: { email: 'mail', name: 'cn' } },
  }
}

/** Debian's LemonLDAP::NG, a provider in Perl. */
async function startLemonLdap() {
  const { folder, start } = createSite()
  const port = await findFreePort()
  const portal = `http://localhost:${port}/`
  for (const name of ['sessions', 'persistent']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'lmConf-1.json'), JSON.stringify(configure(folder, portal)))
  const file = join(folder, 'lemonldap-ng.ini')
  writeFileSync(file, settings(folder))
  const program = 'use Lemonldap::NG::Portal; Lemonldap::NG::Portal->run({})'
  start('plackup', ['--host', '127.0.0.1', '--port', `${port}`, '-e', program], {
    LLNG_DEFAULTCONFFILE: file,
  })
  await expect.poll(() => fetch(portal).catch(() => undefined)).toBeDefined()
  const jar = createJar()
  return {
    portal,
    /** Opens an address as somebody who may have signed in there, and signs in if asked to. */
    async visit(address: URL): Promise<string> {
      const open = (init: RequestInit) =>
        fetch(address, { redirect: 'manual', headers: { cookie: jar.header() }, ...init })
      let response = await open({})
      if (response.status === 200) response = await open({ method: 'POST', body: new URLSearchParams(user) })
      jar.keep(response)
      return new URL(response.headers.get('location') ?? '', address).search
    },
  }
}

test('LemonLDAP::NG signs people in, who confirm who they are, with a secret that it refuses in a header', async () => {
  const provider = await startLemonLdap()
  // It says nothing of whether an email is verified.
  const sso = settingsFor(provider.portal, { clientSecret, trustsEmail: true })
  const browser = await expectSignIns(sso, user.email, provider.visit)
  const confirmed = await provider.visit(await browser.begin(ssoPaths.confirmationOptions))
  expect((await browser.post(ssoPaths.confirmation, { response: confirmed })).status).toBe(204)
})
