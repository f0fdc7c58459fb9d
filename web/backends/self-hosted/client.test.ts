import { expect, test } from 'vitest'
import { ServiceError } from '../ports.ts'
import { createSend } from './client.ts'

const json = (body: unknown) => JSON.stringify(body)

test.each([
  ['our server’s words', 507, json({ code: 'storage-full', message: 'Full.' }), 'storage-full', 'Full.'],
  ['a newer server’s code', 409, json({ code: 'out-of-ink', message: 'No ink.' }), 'out-of-ink', 'No ink.'],
  ['a proxy’s page', 502, '<h1>Bad Gateway</h1>', 'offline', /can’t be reached/],
  ['a proxy’s own JSON', 503, json({ code: 503, message: 'Unavailable' }), 'offline', /can’t be reached/],
  [
    'a proxy’s own JSON with a code in words',
    503,
    json({ code: 'UNAVAILABLE', message: 'No upstream.' }),
    'offline',
    /can’t be reached/,
  ],
  ['our server that is busy', 503, json({ code: 'busy', message: 'Busy.' }), 'busy', 'Busy.'],
  ['no words at all', 500, '', 'server-error', /went wrong/],
])('8 an answer that refuses: %s', async (_, status, body, code, message) => {
  const fetch = async () => new Response(body, { status })
  const send = createSend(fetch, fetch, '')
  const refusal = await send('GET', '/any').catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(ServiceError)
  expect(refusal).toMatchObject({ code, message: expect.stringMatching(message) })
})

const notSignedIn = json({ code: 'not-signed-in', message: 'Please sign in.' })

test('security: a call that the new cookie of another tab has overtaken is made again, and goes through', async () => {
  const answers = [new Response(notSignedIn, { status: 401 }), new Response('"here"')]
  const fetch = async () => answers.shift() as Response
  expect(await (await createSend(fetch, fetch, '')('GET', '/any')).json()).toBe('here')
})

test('security: a session that is over is so after one more try', async () => {
  let calls = 0
  const fetch = async () => {
    calls += 1
    return new Response(notSignedIn, { status: 401 })
  }
  await expect(createSend(fetch, fetch, '')('GET', '/any')).rejects.toMatchObject({ code: 'not-signed-in' })
  expect(calls).toBe(2)
})
