import { type Browser, chromium, type Page } from '@playwright/test'
import { inject } from 'vitest'
import { findChromium } from '../../../../scripts/chromium.ts'
import type {
  ChangeListener,
  DocumentStore,
  IdentityService,
  Services,
} from '../../../../web/backends/ports.ts'
import type { TestBackend, TestClient } from '../../backend-client.ts'
import { createFirebaseAdmin } from '../admin.ts'
import { startStaticHost } from '../static-host.ts'
import { buildDriver } from './build.ts'
import { unwrapOutcome } from './call-outcome.ts'

/** The emulators as a backend whose clients run in Chromium, each in a browser profile of its own. */
export async function startChromiumBackend({ emailPrivacy = true } = {}): Promise<TestBackend> {
  const emulators = inject('emulators')
  const admin = createFirebaseAdmin(emulators)
  await admin.reset()
  await admin.setEmailPrivacy(emailPrivacy)
  const driver = await buildDriver(emulators)
  const host = await startStaticHost(driver.folder, emulators)
  const browser = await launch()
  return {
    connect: () => connect(browser, host.url),
    endSessions: admin.revokeTokens,
    async stop() {
      await browser.close()
      await host.stop()
      driver.remove()
    },
  }
}

function launch(): Promise<Browser> {
  const path = findChromium()
  return chromium.launch({
    args: ['--no-sandbox', '--disable-gpu'],
    ...(path ? { executablePath: path } : {}),
  })
}

async function connect(browser: Browser, url: string): Promise<TestClient> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const listeners: ChangeListener[] = []
  await page.exposeFunction('told', (id: number, what: keyof ChangeListener, argument: never) =>
    listeners[id]?.[what](argument),
  )
  await page.goto(url)
  await page.waitForFunction(() => 'driver' in window)
  return {
    identity: createRemoteCalls(page, 'identity', [
      'createAccount',
      'signIn',
      'signOut',
      'changePassword',
    ]) as IdentityService,
    documents: {
      ...(createRemoteCalls(page, 'documents', [
        'list',
        'add',
        'update',
        'remove',
        'restore',
      ]) as DocumentStore),
      async writeBatch(batch, key, { signal } = {}) {
        const isCancelled = signal?.aborted ?? false
        const answer = await page.evaluate(
          ({ args, isCancelled }) => window.driver.writeBatch(args, isCancelled),
          { args: [batch, key], isCancelled },
        )
        return unwrapOutcome(answer) as never
      },
      subscribe(observer) {
        const id = listeners.push(observer) - 1
        const started = page.evaluate((id) => window.driver.watch(id), id)
        return () => {
          delete listeners[id]
          // The browser may be closed by then, which stops it as well.
          started.then(() => page.evaluate((id) => window.driver.unwatch(id), id)).catch(() => {})
        }
      },
    },
    cutNetwork: () => context.setOffline(true),
    restoreNetwork: () => context.setOffline(false),
  }
}

/** Calls of a port, made in the page. */
function createRemoteCalls(page: Page, port: keyof Services, methods: string[]) {
  const call =
    (method: string) =>
    async (...args: unknown[]) => {
      const parts = { port, method, args }
      return unwrapOutcome(
        await page.evaluate(({ port, method, args }) => window.driver.call(port, method, args), parts),
      )
    }
  return Object.fromEntries(methods.map((method) => [method, call(method)])) as unknown
}
