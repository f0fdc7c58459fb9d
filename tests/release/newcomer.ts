import { spawnServer } from '../support/faults/server-process.ts'
import { password, type TestResponse } from '../support/http-client.ts'
import { ada } from '../support/people.ts'

// Plays the newcomer: starts a server with the given command, signs up, adds a record, restarts the server and finds it again.
// A program of its own, so that it can run without a network and as a user without rights.

const start = () => spawnServer(process.argv.slice(2), process.env, true)

const first = await start()
const newcomer = first.connect()
await call(newcomer.signUp(ada.email), 201)
await call(newcomer.signIn(ada.email), 200)
await call(newcomer.add(ada), 201)
await first.kill('SIGTERM')

const second = await start()
const again = second.connect()
await call(again.post('/api/identity/session', { email: ada.email, password }), 200)
const { documents } = (await call(again.list(), 200)).body
if (documents[0]?.eName !== ada.eName)
  throw new Error(`The record is not there: ${JSON.stringify(documents)}`)
const page = await fetch(`${second.url}/signin`)
if (!(await page.text()).includes('<div id="root">')) throw new Error('The page is not served.')
await second.kill('SIGTERM')

async function call(answer: Promise<TestResponse>, expected: number): Promise<TestResponse> {
  const response = await answer
  if (response.status === expected) return response
  throw new Error(`The answer was ${response.status}: ${JSON.stringify(response.body)}`)
}
