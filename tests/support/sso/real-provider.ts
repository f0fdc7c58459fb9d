/// <reference path="./oidc-provider.d.ts" />
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import Provider from 'oidc-provider'
import type { SsoSettings } from '../../../server/auth/sso/settings.ts'
import { cleanUpAfterTest } from '../cleanup.ts'
import type { Jar } from './jar.ts'

export const clientId = 'staffbook'
/** With characters that the two ways of sending it write differently. */
export const clientSecret = 'a secret: with + and % and &'
export const redirectUri = 'https://staff.example.com/signin'

/** What the provider says of somebody; `sub` is who they are to it. */
export interface ProviderPerson {
  sub: string
  email?: string
  email_verified?: boolean | string
  groups?: string[]
}

export interface RealProviderOptions {
  /** How the client may authenticate. */
  method?: 'client_secret_basic' | 'client_secret_post' | 'none'
  /** Puts claims into the response of userinfo only, as most providers do with this library's default. */
  onlyInUserInfo?: boolean
  redirectUris?: string[]
  /** The name of the provider: that of another site than 127.0.0.1. */
  host?: 'localhost'
  port?: number
  /** Whether it lets the server send it a request directly. */
  acceptsPushed?: boolean
  /** Whether it refuses what comes by way of a browser. */
  requiresPushed?: boolean
}

/** `oidc-provider`, a certified implementation, over HTTP. Whoever signs in types who they are: a `sub` of `people`. */
export async function startRealProvider(people: ProviderPerson[], options: RealProviderOptions = {}) {
  const { method = 'client_secret_basic', onlyInUserInfo = false, redirectUris = [redirectUri] } = options
  const server = createServer()
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://${options.host ?? '127.0.0.1'}:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        ...(method === 'none' ? {} : { client_secret: clientSecret }),
        redirect_uris: redirectUris,
        response_types: ['code'],
        grant_types: ['authorization_code'],
        token_endpoint_auth_method: method,
      },
    ],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    conformIdTokenClaims: onlyInUserInfo,
    scopes: ['openid', 'email', 'groups'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'] },
    features: {
      devInteractions: { enabled: false },
      pushedAuthorizationRequests: {
        enabled: options.acceptsPushed ?? true,
        requirePushedAuthorizationRequests: options.requiresPushed ?? false,
      },
    },
    cookies: { keys: ['a key of the tests'] },
    findAccount: (_context: unknown, sub: string) => {
      const found = people.find((person) => person.sub === sub)
      return found && { accountId: sub, claims: async () => ({ ...found }) }
    },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/sign-in/${uid}` },
    async loadExistingGrant({
      oidc,
    }: {
      oidc: {
        session: { accountId: string; grantIdFor(clientId: string): string | undefined }
        client: { clientId: string }
      }
    }) {
      const { accountId } = oidc.session
      // Codes of an earlier grant would be refused.
      const id = oidc.session.grantIdFor(oidc.client.clientId)
      const existing = id === undefined ? undefined : await provider.Grant.find(id)
      if (existing) return existing
      const grant = new provider.Grant({ accountId, clientId: oidc.client.clientId })
      grant.addOIDCScope('openid email groups')
      await grant.save()
      return grant
    },
  })
  const callback = provider.callback()
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/sign-in/')) return callback(request, response)
    showSignIn(provider, request, response).catch(() => response.writeHead(500).end())
  })
  const stop = async () => {
    if (!server.listening) return
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  cleanUpAfterTest(stop)
  return { issuer, people, stop, server }
}

async function showSignIn(provider: Provider, request: IncomingMessage, response: ServerResponse) {
  const { prompt } = await provider.interactionDetails(request, response)
  if (request.method === 'POST') {
    const form = new URLSearchParams(await text(request))
    const login = form.get('login') ?? ''
    const result = form.has('cancel')
      ? { error: 'access_denied', error_description: 'a text of the provider' }
      : { login: { accountId: login } }
    return provider.interactionFinished(request, response, result)
  }
  response.setHeader('content-type', 'text/html; charset=utf-8')
  // Without an icon a browser requests one, some time later, and logs that there is none.
  response.end(`<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Provider</title><h1>${prompt.name} at the provider</h1>
<form method="post"><label>Who are you? <input name="login" autofocus></label>
<button>Continue</button> <button name="cancel" value="yes">Cancel</button></form></html>`)
}

const maxSteps = 10

/** Follows the redirects of a browser, types `login` (or cancels) where the provider asks, and returns the query at the end. */
export async function sendSignIn(address: URL, login: string, jar: Jar): Promise<string> {
  let next = address
  let form: string | undefined
  for (let i = 0; i < maxSteps; i++) {
    const response = await fetch(next, {
      redirect: 'manual',
      headers: {
        cookie: jar.header(),
        ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form === undefined ? {} : { method: 'POST', body: form }),
    })
    jar.keep(response)
    const location = response.headers.get('location')
    form = undefined
    if (location === null) {
      const page = await response.text()
      // Who signs in as somebody else is signed out there first, by a page that sends this by itself.
      const [, confirm] = /action="([^"]+\/session\/end\/confirm)"/.exec(page) ?? []
      if (confirm) {
        const hidden = new URLSearchParams()
        for (const [, name = '', value = ''] of page.matchAll(/name="(\w+)" value="([^"]*)"/g))
          hidden.set(name, value)
        form = hidden.toString()
        next = new URL(confirm)
        continue
      }
      if (!page.includes('name="login"')) throw new Error(`The provider answers ${response.status}: ${page}`)
      form = new URLSearchParams(login === '' ? { cancel: 'yes' } : { login }).toString()
      continue
    }
    next = new URL(location, next)
    if (next.origin !== address.origin) return next.search
  }
  throw new Error('The provider sends the browser around.')
}

/** Settings for a provider of the tests. */
export const settingsFor = (issuer: string, different: Partial<SsoSettings> = {}): SsoSettings => ({
  issuer: new URL(issuer),
  clientId,
  clientSecret,
  name: 'Example Login',
  scopes: 'openid email',
  required: new Map(),
  trustsEmail: false,
  admitsAll: false,
  isOnly: false,
  redirectUri,
  ...different,
})
