import { globSync } from 'node:fs'
import { expect } from 'vitest'
import { cleanUpAfterTest, createFolder } from '../support/cleanup.ts'
import { findFreePort } from '../support/unprivileged.ts'
import { type OpenWindow, startProgram, testJourney } from './journey.ts'

/** Speaks WebDriver to WebKitGTK, which needs a display. */
async function startWebKit(): Promise<OpenWindow> {
  const HOME = createFolder()
  const screen = ['-displayfd', '1', '-screen', '0', '1280x800x24', '-nolisten', 'tcp']
  const display = await startProgram(['Xvfb', ...screen], { HOME }, /^(\d+)$/)
  const driver = `http://127.0.0.1:${await findFreePort()}`
  const environment = { HOME, DISPLAY: `:${display}`, XDG_RUNTIME_DIR: HOME }
  await startProgram(['WebKitWebDriver', `--port=${new URL(driver).port}`], environment)
  await expect.poll(() => fetch(`${driver}/status`)).toHaveProperty('ok', true)

  let session = `${driver}/session`
  async function call<Value>(path: string, body: object): Promise<Value> {
    const response = await fetch(session + path, { method: 'POST', body: JSON.stringify(body) })
    const { value } = (await response.json()) as { value: Value }
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(value)}`)
    return value
  }

  const [binary] = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser')
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': { binary, args: ['--automation'] } } }
  const { sessionId } = await call<{ sessionId: string }>('', { capabilities })
  session += `/${sessionId}`
  cleanUpAfterTest(() => fetch(session, { method: 'DELETE' }))
  return async () => {
    const { handle } = await call<{ handle: string }>('/window/new', { type: 'window' })
    const callHere = async <Value>(path: string, body: object): Promise<Value> => {
      await call('/window', { handle })
      return call(path, body)
    }
    return {
      goto: (url) => callHere('/url', { url }),
      evaluate: (promise) =>
        callHere('/execute/async', { script: `${promise}.then(arguments[0])`, args: [] }),
      perform: (actions) => callHere('/actions', { actions }),
    }
  }
}

testJourney(startWebKit)
