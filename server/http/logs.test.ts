import { expect, it } from 'vitest'
import { paths } from '../../contract/protocol.ts'
import { password, refusal, signInAt } from '../../tests/support/http-client.ts'
import { record, renamed } from '../../tests/support/people.ts'
import { formatHead } from '../../tests/support/raw-http.ts'
import { recordLog, startTestServer } from '../../tests/support/server.ts'
import { createPasswordPool } from '../auth/password-pool.ts'

it('security: logs one line of JSON per event, without secrets or text from requests', async () => {
  const { logger, text } = recordLog()
  const { server, client } = await signInAt(startTestServer({ logger }))
  const uid = await client.uid()
  const hostile = 'x\n{"level":60,"msg":"forged"}\u001b[31m'
  await client.add(renamed(hostile, record({ password: 'secret of a record' })))
  await client.signIn(hostile, 'a wrong guess')
  await client.get(`/${encodeURIComponent(hostile)}?token=${client.cookie}`)
  await client.post(paths.accounts, `{"password": "${password}"`)
  await client.put(paths.password, { password: 'a wrong guess', newPassword: password })
  await client.delete(paths.session)
  await client.list()
  await client.signIn('ada@example.com', 'a wrong guess')
  await server.connect().signIn('a@b.c', 'a wrong guess')
  await server.stop()

  const lines = text().trimEnd().split('\n')
  const [start, ...requests] = lines.map((line) => JSON.parse(line))
  expect(start.msg).toMatch(/^Server listening at http:\/\/127\.0\.0\.1:\d+$/)
  const ip = '127.0.0.1'
  expect(requests.map(({ level, time, pid, hostname, reqId, ...event }) => event)).toEqual([
    { msg: 'account created', uid },
    { msg: 'signed in', uid },
    { msg: 'sign-in refused', ip },
    { msg: 'own password refused', ip, uid },
    { msg: 'request refused', ip, code: 'not-signed-in' },
    { msg: 'sign-in refused', ip, uid },
    { msg: 'sign-in refused', ip },
  ])
  const requestIds = requests.map(({ reqId }) => reqId)
  expect(new Set(requestIds).size).toBe(requests.length)
  for (const id of requestIds) expect(id).toMatch(/^req-\w+$/)
  for (const secret of [password, 'secret of a record', 'a wrong guess', client.cookie, 'forged', '\u001b']) {
    expect(text()).not.toContain(secret)
  }
})

it('security: knows the address of a client that resets its connection right after the request', async () => {
  const { logger, text } = recordLog()
  const server = await startTestServer({ logger })
  const body = JSON.stringify({ email: 'a@b.c', password: 'a wrong guess' })
  const headers = { 'content-type': 'application/json', 'content-length': body.length }
  for (let i = 0; i < 10; i++) {
    const { socket, sent } = server.open(formatHead('POST', paths.session, headers) + body)
    sent.then(() => socket.resetAndDestroy())
  }
  await expect.poll(text).toContain('sign-in refused')
  await server.stop()
  const [, ...refused] = text().trimEnd().split('\n')
  for (const line of refused) expect(line).toContain('"ip":"127.0.0.1"')
})

it('security: logs more sign-ins than it can check as warnings, because anyone can cause them', async () => {
  const { logger, text } = recordLog()
  const passwordPool = createPasswordPool({ maxWaiting: 0 })
  const server = await startTestServer({ logger, passwordPool })
  expect(await server.connect().signIn('a@b.c', 'a guess')).toMatchObject(refusal(503, 'busy'))
  await server.stop()
  const [, line = ''] = text().trimEnd().split('\n')
  const { level, code, ip, msg, err } = JSON.parse(line)
  const expected = { level: 40, code: 'busy', ip: '127.0.0.1', msg: 'request refused', err: undefined }
  expect({ level, code, ip, msg, err }).toEqual(expected)
})

it('security: no header changes the terminal that shows the log', async () => {
  const { logger, text } = recordLog()
  const server = await startTestServer({ logger })
  for (const headers of [{ host: '\u009b2J' }, { host: 'localhost', origin: 'http://\u009b2J\u0085' }]) {
    await server.open(formatHead('POST', paths.session, { connection: 'close', ...headers })).response
  }
  await server.stop()
  expect(text()).toContain('2J')
  expect(text().replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
})
