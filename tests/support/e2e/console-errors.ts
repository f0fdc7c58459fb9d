import type { BrowserContext, ConsoleMessage, Request, Response } from '@playwright/test'
import { ssoPaths } from '../../../contract/identity/sso.ts'
import { passkeyPaths } from '../../../contract/passkeys.ts'
import { paths } from '../../../contract/protocol.ts'

/** Errors and warnings on the console of a browser, and uncaught exceptions. */
export function collectConsoleErrors(context: BrowserContext): () => string[] {
  const consoleErrors: string[] = []
  const excused = collectExcused(context)
  context.on('console', (message) => {
    const isBlocked = message.text() === 'Service Worker registration blocked by Playwright'
    const isProblem = ['error', 'warning'].includes(message.type())
    if (isProblem && !isBlocked && !isLostChannel(message))
      consoleErrors.push(`${message.text()} ${message.location().url}`)
  })
  context.on('weberror', (error) => consoleErrors.push(String(error.error())))
  return () => withoutEach(consoleErrors, excused)
}

/** Firestore's emulator sometimes loses a channel under load; the SDK opens another one. */
const isLostChannel = (message: ConsoleMessage) =>
  /\/(Listen|Write)\/channel/.test(message.location().url) && message.text().includes('status of 400')

/** The items, without one for each that is taken away. */
function withoutEach(items: string[], taken: string[]): string[] {
  const left = [...items]
  for (const one of taken) if (left.includes(one)) left.splice(left.indexOf(one), 1)
  return left
}

/**
 * What the console says of reads that were answered 401 because this browser had ended their session: a tab may read something
 * before it hears that another has logged out, and before the cookie of a new session has arrived. Once the browser is signed in
 * again, a 401 is an error.
 */
function collectExcused(context: BrowserContext): string[] {
  const excused: string[] = []
  const replacing = new Set<Request>()
  let isSignedOut = false
  let endings = 0
  /** How many endings each read has seen, none if it was sent after one. */
  const seen = new WeakMap<Request, number>()
  const isEnded = () => isSignedOut || replacing.size > 0
  context.on('request', (request) => {
    if (request.method() === 'GET') seen.set(request, isEnded() ? 0 : endings)
    if (!endsSession(request)) return
    endings++
    if (request.method() === 'DELETE') isSignedOut = true
    else replacing.add(request)
  })
  context.on('requestfailed', (request) => replacing.delete(request))
  context.on('response', (response) => {
    const request = response.request()
    if (replacing.delete(request) && response.ok()) isSignedOut = false
    if (isRefusedRead(response) && (isEnded() || seen.get(request) !== endings))
      excused.push(
        `Failed to load resource: the server responded with a status of 401 (Unauthorized) ${response.url()}`,
      )
  })
  return excused
}

const signIns: string[] = [paths.session, passkeyPaths.session, ssoPaths.session]

/** Whether the request ends the session of the browser, and perhaps begins another. */
function endsSession(request: Request): boolean {
  const { pathname } = new URL(request.url())
  const method = request.method()
  if (method === 'DELETE') return pathname === paths.session
  return (
    (method === 'POST' && signIns.includes(pathname)) || (method === 'PUT' && pathname === paths.password)
  )
}

function isRefusedRead(response: Response): boolean {
  const isApi = new URL(response.url()).pathname.startsWith('/api/')
  return isApi && response.request().method() === 'GET' && response.status() === 401
}
