import { expect, test } from 'vitest'
import { errors } from '../../../contract/errors.ts'
import { accountHeader } from '../../../contract/protocol.ts'
import { ServiceError } from '../ports.ts'
import { createRequests, createSend } from './client.ts'

const json = (body: unknown) => JSON.stringify(body)

test.each([
  ['our server’s error', 507, json({ code: 'storage-full', message: 'Full.' }), 'storage-full', 'Full.'],
  ['a newer server’s code', 409, json({ code: 'no-ink', message: 'No ink.' }), 'no-ink', 'No ink.'],
  ['a proxy’s HTML page', 502, '<h1>Bad Gateway</h1>', 'offline', /isn’t available/],
  ['a proxy’s JSON', 503, json({ code: 503, message: 'Unavailable' }), 'offline', /isn’t available/],
  ['a proxy’s code', 503, json({ code: 'UNAVAILABLE', message: 'No.' }), 'offline', /isn’t available/],
  ['our busy server', 503, json({ code: 'busy', message: 'Busy.' }), 'busy', 'Busy.'],
  ['an empty body', 500, '', 'server-error', /went wrong/],
  ['a firewall’s page', 403, '<h1>Blocked</h1>', 'server-error', /Something between .* refused/],
  ['a proxy that allows no such method', 501, '', 'server-error', /Something between .* refused/],
  ['a proxy that allows no such size', 413, '<h1>Too large</h1>', 'server-error', /too large/],
  ['a proxy’s page for too many requests', 429, '<h1>Slow down</h1>', 'offline', /isn’t available/],
])('maps an error response to a ServiceError: %s (§8)', async (_, status, body, code, message) => {
  const fetch = async () => new Response(body, { status })
  const send = createSend(fetch, fetch, '')
  const error = await send('GET', '/any').catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(ServiceError)
  expect(error).toMatchObject({ code, message: expect.stringMatching(message) })
})

test('takes no error of our server for one of a proxy, whatever its status (§8)', async () => {
  for (const [code, { status, message }] of Object.entries(errors)) {
    const fetch = async () => new Response(json({ code, message }), { status })
    const error = await createSend(fetch, fetch, '')('GET', '/any').catch((cause: unknown) => cause)
    expect(error).toMatchObject({ code })
  }
})

test.each([
  ['2', 2_000],
  [undefined, undefined],
  ['Wed, 21 Oct 2026 07:28:00 GMT', undefined],
])('reads Retry-After %s', async (value, retryAfterMs) => {
  const headers: HeadersInit = value === undefined ? {} : { 'retry-after': value }
  const fetch = async () => new Response(json({ code: 'busy', message: 'Busy.' }), { status: 503, headers })
  const error = await createSend(fetch, fetch, '')('GET', '/any').catch((cause: unknown) => cause)
  expect(error).toMatchObject({ code: 'busy', retryAfterMs })
})

test('takes no page for a response of the server, whatever its status', async () => {
  const page = { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } }
  const fetch = async () => new Response('<h1>Welcome to our Wi-Fi</h1>', page)
  const error = await createSend(fetch, fetch, '')('DELETE', '/any').catch((cause: unknown) => cause)
  expect(error).toMatchObject({ code: 'offline', message: expect.stringMatching(/in its place/) })
})

test('takes no JSON that something else answers for the end of a session', async () => {
  const responses = {
    foreign: () => new Response('{"ok":true}', { headers: { 'content-type': 'application/json' } }),
    done: () => new Response(null, { status: 204 }),
    written: () => new Response('{}', { headers: { revision: '7' } }),
  }
  for (const [from, respond] of Object.entries(responses)) {
    const fetch = async () => respond()
    const { run, end } = createRequests(createSend(fetch, fetch, ''))
    const results = await Promise.allSettled([run('DELETE', '/any'), end('/any')])
    const codes = results.map((result) => (result.status === 'rejected' ? result.reason.code : 'done'))
    const expected = from === 'foreign' ? 'offline' : 'done'
    expect(codes, from).toEqual([expected, expected])
  }
})

const notSignedIn = json({ code: 'not-signed-in', message: 'Please sign in.' })

test('retries a request that was sent with a cookie which another tab has replaced', async () => {
  const responses = [new Response(notSignedIn, { status: 401 }), new Response('"ok"')]
  const fetch = async () => responses.shift() as Response
  expect(await (await createSend(fetch, fetch, '')('GET', '/any')).json()).toBe('ok')
})

test('names in both attempts of a change the account that began it, though another tab signs in to another meanwhile', async () => {
  const accounts: (string | null)[] = []
  let uid = 'ada'
  const fetch = async (_: unknown, init?: RequestInit) => {
    accounts.push(new Headers(init?.headers).get(accountHeader))
    uid = 'grace'
    return new Response(notSignedIn, { status: 401 })
  }
  const send = createSend(fetch, fetch, '', undefined, () => uid)
  await expect(send('POST', '/any')).rejects.toMatchObject({ code: 'not-signed-in' })
  expect(accounts).toEqual(['ada', 'ada'])
})

test('names an account whose uid no header can hold', async () => {
  const accounts: (string | null)[] = []
  const fetch = async (_: unknown, init?: RequestInit) => {
    accounts.push(new Headers(init?.headers).get(accountHeader))
    return new Response('"ok"')
  }
  for (const uid of ['用户-1', ' a '])
    await createSend(fetch, fetch, '', undefined, () => uid)('POST', '/any')
  expect(accounts.map((text) => decodeURIComponent(text ?? ''))).toEqual(['用户-1', ' a '])
})

test('rejects with not-signed-in after one retry', async () => {
  let calls = 0
  const fetch = async () => {
    calls += 1
    return new Response(notSignedIn, { status: 401 })
  }
  await expect(createSend(fetch, fetch, '')('GET', '/any')).rejects.toMatchObject({ code: 'not-signed-in' })
  expect(calls).toBe(2)
})
