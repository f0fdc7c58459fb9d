import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createTestClient, password } from '../support/http-client.ts'

// Plays the newcomer: starts a server with the given command, signs up, adds a record, restarts the server and finds it again.
// A program of its own, so that it can run without a network and as a user without rights.

const [command = '', ...args] = process.argv.slice(2)
const email = 'ada@example.com'
const ada = { eName: 'Ada Lovelace', email, password: 'analytical engine' }

const first = await start()
await call(first.client.signUp(email), 201)
await call(first.client.signIn(email), 200)
await call(first.client.add(ada), 201)
await first.stop()

const second = await start()
await call(second.client.post('/api/identity/session', { email, password }), 200)
const { documents } = (await call(second.client.list(), 200)).body
if (documents[0]?.eName !== ada.eName)
  throw new Error(`The record is not there: ${JSON.stringify(documents)}`)
const page = await fetch(`${second.url}/signin`)
if (!(await page.text()).includes('<div id="root">')) throw new Error('The page is not served.')
await second.stop()

async function start() {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  let output = ''
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`${command} ended with ${code}: ${output}`)
  })
  const listening = (async () => {
    for await (const chunk of child.stdout) {
      output += chunk
      const url = /Staffbook is at (\S+)/.exec(output)?.[1]
      if (url) return url
    }
    return exited
  })()
  const url = await listening
  exited.catch(() => 'stopped')
  const stop = async () => {
    process.kill(-(child.pid ?? 0), 'SIGTERM')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  return { url, client: createTestClient(url), stop }
}

async function call(response: ReturnType<ReturnType<typeof createTestClient>['list']>, expected: number) {
  const { status, body, ...rest } = await response
  if (status !== expected) throw new Error(`The answer was ${status}: ${JSON.stringify(body)}`)
  return { status, body, ...rest }
}
