import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { paths } from '../../contract/protocol.ts'
import { cleanUpAfterTest, createFolder } from '../support/cleanup.ts'
import { type ServerProcess, startServerProcess } from '../support/faults/server-process.ts'
import { password } from '../support/http-client.ts'
import { ada, makeEmployees } from '../support/people.ts'
import { startCluster } from '../support/postgres/cluster.ts'
import { findFreePort } from '../support/unprivileged.ts'
import { callHttp1, createBrowser } from './https-client.ts'
import { adaptRecipe, createSite } from './programs.ts'

const email = 'ada@example.com'

type Site = ReturnType<typeof createSite>
interface Ports {
  https: number
  http: number
  servers: number[]
}

const upstreams = ({ servers }: Ports) => servers.map((port) => `127.0.0.1:${port}`)

function startCaddy(site: Site, ports: Ports) {
  const file = join(site.folder, 'Caddyfile')
  const recipe = adaptRecipe('Caddyfile', [[/^\{\$SITE.*\{\n/m, `$&\ttls ${site.certificate} ${site.key}\n`]])
  writeFileSync(file, `{\n\tadmin off\n\thttp_port ${ports.http}\n}\n${recipe}`)
  site.start('caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
    SITE: `https://localhost:${ports.https}`,
    UPSTREAMS: upstreams(ports).join(' '),
  })
}

function startNginx(site: Site, ports: Ports) {
  const recipe = adaptRecipe('nginx.conf', [
    [/127\.0\.0\.1:3000/, upstreams(ports)[0] ?? ''],
    [/listen 443/, `listen 127.0.0.1:${ports.https}`],
    [/\tlisten \[::\]:443.*\n/, ''],
    [/listen 80/, `listen 127.0.0.1:${ports.http}`],
    [/\tlisten \[::\]:80.*\n/, ''],
    [/staff\.example\.com;/, 'localhost;'],
    [/server_name staff\.example\.com;/, 'server_name localhost;'],
    [/\/etc\/letsencrypt\S+fullchain\.pem/, site.certificate],
    [/\/etc\/letsencrypt\S+privkey\.pem/, site.key],
  ])
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${site.folder}/${name};`)
    .join(' ')
  const file = join(site.folder, 'nginx.conf')
  writeFileSync(
    file,
    `daemon off; pid ${site.folder}/pid; error_log stderr; events {}\nhttp { access_log off; ${temporary}\n${recipe}\n}`,
  )
  site.start('nginx', ['-c', file, '-p', site.folder, '-e', 'stderr'])
}

function startHaproxy(site: Site, ports: Ports) {
  const recipe = adaptRecipe('haproxy.cfg', [
    ['bind :443', `bind 127.0.0.1:${ports.https}`],
    ['/etc/haproxy/staff.example.com.pem', join(site.folder, 'localhost.pem')],
    ['10.0.0.11:3000', upstreams(ports)[0] ?? ''],
    ['10.0.0.12:3000', upstreams(ports)[1] ?? ''],
  ])
  const file = join(site.folder, 'haproxy.cfg')
  writeFileSync(file, recipe)
  site.start('haproxy', ['-f', file, '-db'])
}

function startApache(site: Site, ports: Ports) {
  const recipe = adaptRecipe('apache.conf', [
    ['*:443', `127.0.0.1:${ports.https}`],
    ['*:80', `127.0.0.1:${ports.http}`],
    [/ServerName staff\.example\.com/, 'ServerName localhost'],
    [/ServerName staff\.example\.com/, 'ServerName localhost'],
    [/https:\/\/staff\.example\.com\//, 'https://127.0.0.1/'],
    [/\/etc\/letsencrypt\S+fullchain\.pem/, site.certificate],
    [/\/etc\/letsencrypt\S+privkey\.pem/, site.key],
    ['http://127.0.0.1:3000/', `http://${upstreams(ports)[0]}/`],
  ])
  const modules = [
    'alias',
    'authz_core',
    'deflate',
    'filter',
    'headers',
    'http2',
    'mpm_event',
    'proxy',
    'proxy_http',
    'ssl',
  ]
  const file = join(site.folder, 'apache.conf')
  writeFileSync(
    file,
    [
      `ServerRoot ${site.folder}`,
      `PidFile ${site.folder}/pid`,
      `ErrorLog ${site.folder}/error.log`,
      ...modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
      `Listen 127.0.0.1:${ports.https}`,
      `Listen 127.0.0.1:${ports.http}`,
      'User nobody',
      // Compresses also what the server does not, and names it differently.
      'SetOutputFilter DEFLATE',
      recipe,
    ].join('\n'),
  )
  site.start('apache2', ['-f', file, '-D', 'FOREGROUND'])
}

/** Varnish has no TLS, so it stands behind nginx. */
async function startVarnish(site: Site, ports: Ports) {
  const port = await findFreePort()
  const file = join(site.folder, 'varnish.vcl')
  writeFileSync(file, adaptRecipe('varnish.vcl', [['"3000"', `"${ports.servers[0]}"`]]))
  const address = `127.0.0.1:${port}`
  const isolation = ['-j', 'none']
  site.start('varnishd', [...isolation, '-F', '-n', join(site.folder, 'varnish'), '-a', address, '-f', file])
  startNginx(site, { ...ports, servers: [port] })
}

const proxies = {
  Caddy: startCaddy,
  nginx: startNginx,
  HAProxy: startHaproxy,
  Apache: startApache,
  'nginx and Varnish': startVarnish,
}

describe.each(Object.entries(proxies))('recipe: %s', (name, startProxy) => {
  let servers: ServerProcess[]
  let ports: Ports
  let browser: ReturnType<typeof createBrowser>
  let site: Site

  beforeEach(async () => {
    site = createSite()
    const settings = { TRUST_PROXY: 'loopback', SIGN_UP: 'open' }
    if (name === 'HAProxy') {
      const cluster = await startCluster()
      cleanUpAfterTest(cluster.remove)
      const shared = { ...settings, DATABASE_URL: cluster.url }
      servers = [await startServerProcess(shared), await startServerProcess(shared)]
    } else {
      servers = [await startServerProcess({ ...settings, DATA_DIR: createFolder() })]
    }
    const serverPorts = servers.map(({ url }) => Number(new URL(url).port))
    ports = { https: await findFreePort(), http: await findFreePort(), servers: serverPorts }
    await startProxy(site, ports)
    browser = createBrowser(ports.https, site.ca)
    cleanUpAfterTest(browser.close)
    await expect.poll(() => callHttp1(ports.https, site.ca, '/readyz').catch(() => 0)).toBe(200)
  })

  const signIn = async () => {
    await browser.call('POST', paths.accounts, { email, password })
    return browser.call('POST', paths.session, { email, password })
  }

  it('serves the page and the API over HTTP/2, with a secure session and unbuffered events', async () => {
    const page = await browser.call('GET', '/form')
    expect([page.status, page.headers['strict-transport-security']]).toEqual([200, 'max-age=63072000'])
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")

    const signedIn = await signIn()
    expect([signedIn.status, browser.cookie()]).toEqual([
      200,
      expect.stringMatching(/^__Host-session-[\w-]{8}=/),
    ])
    expect(String(signedIn.headers['set-cookie'])).toContain('Secure')

    const events = browser.openEvents(paths.changes)
    await expect.poll(() => events.received.text).toMatch(/^:/)
    expect((await browser.call('POST', paths.books, ada)).status).toBe(201)
    await expect.poll(() => events.received.text).toContain('Ada Lovelace')
    events.close()
  })

  // HAProxy's servers share them unevenly, and Apache serves six at once over a connection of HTTP/2.
  if (name !== 'HAProxy' && name !== 'Apache') {
    it('ends the event streams of a tab that is closed', async () => {
      await signIn()
      const open = () => browser.openEvents(paths.changes)
      const allowed = Array.from({ length: 20 }, open)
      for (const { received } of allowed) await expect.poll(() => received.text).toMatch(/^:/)
      for (const stream of allowed) stream.close()
      const openAgain = async () => {
        const { received, close } = open()
        await expect.poll(() => received.text).not.toBe('')
        close()
        return received.text
      }
      await expect.poll(openAgain).toMatch(/^:/)
    })
  }

  it('accepts an import of several megabytes', async () => {
    await signIn()
    const add = makeEmployees(20_000)
    const headers = { 'idempotency-key': 'import' }
    const response = await browser.call('POST', paths.batch, { add, update: [], remove: [] }, headers)
    expect([response.status, JSON.parse(response.body).ids.length]).toEqual([200, 20_000])
  })

  it('passes on why a body is refused that is still on its way', async () => {
    const body = ' '.repeat(2 ** 20)
    const statuses = new Set<number>()
    for (let i = 0; i < 20; i++) statuses.add(await callHttp1(ports.https, site.ca, paths.session, body))
    expect([...statuses]).toEqual([413])
  })

  it('replaces a forwarded address that the client has invented', async () => {
    const invented = { 'x-forwarded-for': '203.0.113.9' }
    const refused = await browser.call('POST', paths.session, { email, password: 'wrong' }, invented)
    expect(refused.status).toBe(401)
    const logs = () => servers.map(({ output }) => output.err).join('')
    await expect.poll(logs).toContain('sign-in refused')
    expect(logs()).toContain('"ip":"127.0.0.1"')
    expect(logs()).not.toContain('203.0.113.9')
  })

  it('asks again for a file, page or list that it has, and gets no body', async () => {
    await signIn()
    for (const path of ['/form', '/icon-192.png', '/manifest.webmanifest', paths.books]) {
      for (const accepted of ['gzip, deflate, br', 'gzip', 'identity']) {
        const ask = (tag?: string) =>
          browser.call('GET', path, undefined, {
            'accept-encoding': accepted,
            ...(tag && { 'if-none-match': tag }),
          })
        const { status, headers } = await ask()
        const again = await ask(headers.etag)
        expect([path, accepted, status, again.status]).toEqual([path, accepted, 200, 304])
      }
    }
  })

  it('keeps nothing of a session for another browser', async () => {
    await signIn()
    await browser.call('POST', paths.books, ada)
    const list = await browser.call('GET', paths.books)
    expect(list.body).toContain('Ada Lovelace')
    const stranger = createBrowser(ports.https, site.ca)
    cleanUpAfterTest(stranger.close)
    for (const path of [paths.books, `${paths.changes}?since=0&follow=no`, paths.session]) {
      const { status, body } = await stranger.call('GET', path)
      expect([path, status]).toEqual([path, 401])
      expect(body).not.toContain('Ada')
    }
    const missed = await browser.call('GET', `${paths.changes}?since=0&follow=no`)
    expect(missed.body).toContain('Ada Lovelace')
  })

  if (name === 'nginx' || name === 'Apache') {
    it('redirects / only from http:// to https://', async () => {
      const call = (path: string) => fetch(`http://127.0.0.1:${ports.http}${path}`, { redirect: 'manual' })
      const root = await call('/')
      expect([root.status, root.headers.get('location')]).toEqual([301, 'https://127.0.0.1/'])
      expect((await call('/api/identity/session')).status).toBe(404)
    })
  }

  if (name === 'HAProxy') {
    it('answers every request while a server stops and is away', async () => {
      await signIn()
      let count = 0
      const stopped = servers[0]?.kill('SIGTERM')
      for (; count < 60; count++) {
        const response = await browser.call('POST', paths.books, ada, { 'idempotency-key': `key-${count}` })
        expect(response.status).toBe(201)
      }
      expect(await stopped).toBe(0)
      const { documents } = JSON.parse((await browser.call('GET', paths.books)).body)
      expect(documents).toHaveLength(count)
    })
  }
})
