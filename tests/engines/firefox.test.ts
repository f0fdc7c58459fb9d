import { once } from 'node:events'
import { createFolder } from '../support/cleanup.ts'
import { type OpenWindow, startProgram, testJourney } from './journey.ts'

/** Speaks WebDriver BiDi, which Firefox serves by itself. */
async function startFirefox(): Promise<OpenWindow> {
  const folder = createFolder()
  const options = ['--headless', '--no-remote', '--profile', folder, '--remote-debugging-port', '0']
  const url = await startProgram(['firefox-esr', ...options], { HOME: folder }, /BiDi listening on (\S+)/)
  const socket = new WebSocket(`${url}/session`)
  await once(socket, 'open')
  const waiting: ((message: { result?: unknown; message?: string }) => void)[] = []
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(data)
    waiting[message.id]?.(message)
  })

  async function call<Result>(method: string, params: object): Promise<Result> {
    const { promise: answer, resolve } = Promise.withResolvers<{ result?: unknown; message?: string }>()
    const id = waiting.push(resolve) - 1
    socket.send(JSON.stringify({ id, method, params }))
    const { result, message } = await answer
    if (!result) throw new Error(`${method}: ${message}`)
    return result as Result
  }

  await call('session.new', { capabilities: {} })
  return async () => {
    const { context } = await call<{ context: string }>('browsingContext.create', { type: 'window' })
    return {
      goto: (url) => call('browsingContext.navigate', { context, url, wait: 'complete' }),
      async evaluate(promise) {
        const params = { expression: promise, target: { context }, awaitPromise: true }
        const { result } = await call<{ result?: { value: string } }>('script.evaluate', params)
        return result?.value ?? ''
      },
      async perform(actions) {
        await call('browsingContext.activate', { context })
        await call('input.performActions', { context, actions })
      },
    }
  }
}

testJourney(startFirefox)
