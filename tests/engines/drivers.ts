import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { chromium } from '@playwright/test'
import { cleanUpAfterTest, createFolder } from '../support/cleanup.ts'
import { minimalEnvironment } from '../support/environment.ts'

/** The actions of WebDriver that the journey uses. */
export type Actions = (
  | { type: 'pointer'; id: string; actions: { type: string; x?: number; y?: number; button?: number }[] }
  | { type: 'key'; id: string; actions: { type: string; value: string }[] }
)[]

/** What the journey needs of a tab. All tabs of an engine share cookies and storage. */
export interface Tab {
  goto(url: string): Promise<unknown>
  /** Returns the JSON that the expression results in. */
  evaluate(expression: string): Promise<string>
  perform(actions: Actions): Promise<unknown>
}

type OpenTab = () => Promise<Tab>

export async function startChromium(): Promise<OpenTab> {
  const executablePath = process.env.CHROMIUM_PATH ?? ''
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  cleanUpAfterTest(() => browser.close())
  const context = await browser.newContext({ permissions: ['clipboard-write'] })
  return async () => {
    const page = await context.newPage()
    return {
      goto: (url) => page.goto(url),
      evaluate: (expression) => page.evaluate(expression),
      async perform(sources) {
        for (const { type, actions } of sources) {
          if (type === 'key') await page.keyboard.type(textOf(actions))
          else
            for (const { type, x = 0, y = 0 } of actions) {
              if (type === 'pointerMove') await page.mouse.move(x, y)
              else await (type === 'pointerDown' ? page.mouse.down() : page.mouse.up())
            }
        }
      },
    }
  }
}

const textOf = (actions: { type: string; value: string }[]) =>
  actions.flatMap(({ type, value }) => (type === 'keyDown' ? [value] : [])).join('')

export const firefoxPath = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => existsSync(path))

/** Speaks WebDriver BiDi. */
export async function startFirefox(): Promise<OpenTab> {
  const folder = createFolder()
  const args = ['--headless', '--no-remote', '--profile', folder, '--remote-debugging-port', '0']
  const [, url] = await readLine(start(firefoxPath ?? '', args, folder).stderr, /BiDi listening on (\S+)/)
  const socket = new WebSocket(`${url}/session`)
  await new Promise((resolve) => socket.addEventListener('open', resolve))
  const waiting = new Map<number, (message: { result?: never; message?: string }) => void>()
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(data)
    waiting.get(message.id)?.(message)
  })
  async function call<Result>(method: string, params: object): Promise<Result> {
    const id = waiting.size
    socket.send(JSON.stringify({ id, method, params }))
    const { result, message } = await new Promise<{ result?: Result; message?: string }>((resolve) => {
      waiting.set(id, resolve)
    })
    if (!result) throw new Error(`${method}: ${message}`)
    return result
  }
  await call('session.new', { capabilities: {} })
  return async () => {
    const { context } = await call<{ context: string }>('browsingContext.create', { type: 'window' })
    return {
      goto: (url) => call('browsingContext.navigate', { context, url, wait: 'complete' }),
      async evaluate(expression) {
        const parameters = { expression, target: { context }, awaitPromise: true }
        const { result } = await call<{ result?: { value: string } }>('script.evaluate', parameters)
        return result?.value ?? ''
      },
      perform: (actions) => call('input.performActions', { context, actions }),
    }
  }
}

export const miniBrowserPath =
  existsSync('/usr/bin/WebKitWebDriver') && existsSync('/usr/bin/Xvfb')
    ? globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser').at(-1)
    : undefined

/** Speaks WebDriver to WebKitGTK, which needs a display. */
export async function startWebKit(): Promise<OpenTab> {
  const folder = createFolder()
  const screen = ['-displayfd', '1', '-screen', '0', '1280x800x24', '-nolisten', 'tcp']
  const [display] = await readLine(start('Xvfb', screen, folder).stdout, /^\d+$/)
  const port = 20_000 + (process.pid % 10_000)
  const environment = { DISPLAY: `:${display}`, XDG_RUNTIME_DIR: folder }
  start('WebKitWebDriver', [`--port=${port}`], folder, environment)
  let session = '/session'
  async function call<Value>(path: string, body: object): Promise<Value> {
    const init = { method: 'POST', body: JSON.stringify(body) }
    const response = await fetch(`http://127.0.0.1:${port}${session}${path}`, init)
    const { value } = (await response.json()) as { value: Value }
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(value)}`)
    return value
  }
  const options = { binary: miniBrowserPath, args: ['--automation'] }
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } }
  const open = () => call<{ sessionId: string }>('', { capabilities })
  // Until the driver listens.
  for (let sessionId = ''; sessionId === ''; )
    sessionId = await open().then(
      (opened) => {
        session += `/${opened.sessionId}`
        return opened.sessionId
      },
      (error) => {
        if (!(error instanceof TypeError)) throw error
        return ''
      },
    )
  cleanUpAfterTest(() => fetch(`http://127.0.0.1:${port}${session}`, { method: 'DELETE' }))
  return async () => {
    const { handle } = await call<{ handle: string }>('/window/new', { type: 'window' })
    const callHere = async <Value>(path: string, body: object): Promise<Value> => {
      await call('/window', { handle })
      return call(path, body)
    }
    return {
      goto: (url) => callHere('/url', { url }),
      evaluate: (expression) =>
        callHere('/execute/async', { script: `(${expression}).then(arguments[0])`, args: [] }),
      perform: (actions) => callHere('/actions', { actions }),
    }
  }
}

function start(program: string, args: string[], folder: string, environment = {}): ChildProcess {
  const env = { ...minimalEnvironment(), HOME: folder, ...environment }
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  cleanUpAfterTest(() => child.kill('SIGKILL'))
  return child
}

async function readLine(output: ChildProcess['stdout'], pattern: RegExp): Promise<RegExpExecArray> {
  if (output) {
    for await (const line of createInterface(output)) {
      const match = pattern.exec(line)
      if (match) return match
    }
  }
  throw new Error(`Nothing was printed like ${pattern}.`)
}
