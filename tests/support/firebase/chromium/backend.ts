import { type Browser, chromium, type Page } from '@playwright/test'
import { inject } from 'vitest'
import { findChromium } from '../../../../scripts/chromium.ts'
import type { DocumentStore, IdentityService, Observer, Services } from '../../../../web/backends/ports.ts'
import type { BackendUnderTest, ClientUnderTest } from '../../backend-client.ts'
import { adminOf } from '../admin.ts'
import { startHost } from '../host.ts'
import { resultOf } from './answer.ts'
import { buildDriver } from './build.ts'

/** The emulators as a backend whose clients run in Chromium, each in a browser profile of its own. */
export async function startInChromium({ emailPrivacy = true } = {}): Promise<BackendUnderTest> {
  const emulators = inject('emulators')
  const admin = adminOf(emulators)
  await admin.reset()
  await admin.setEmailPrivacy(emailPrivacy)
  const driver = await buildDriver(emulators)
  const host = await startHost(driver.folder, emulators)
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

async function connect(browser: Browser, url: string): Promise<ClientUnderTest> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const observers: Observer[] = []
  await page.exposeFunction('told', (id: number, what: keyof Observer, argument: never) =>
    observers[id]?.[what](argument),
  )
  await page.goto(url)
  await page.waitForFunction(() => 'driver' in window)
  return {
    identity: remote(page, 'identity', [
      'createAccount',
      'signIn',
      'signOut',
      'changePassword',
    ]) as IdentityService,
    documents: {
      ...(remote(page, 'documents', ['list', 'add', 'update', 'remove', 'restore']) as DocumentStore),
      async writeBatch(batch, key, { signal } = {}) {
        const isCancelled = signal?.aborted ?? false
        const answer = await page.evaluate(
          ({ args, isCancelled }) => window.driver.writeBatch(args, isCancelled),
          { args: [batch, key], isCancelled },
        )
        return resultOf(answer) as never
      },
      watch(observer) {
        const id = observers.push(observer) - 1
        const watching = page.evaluate((id) => window.driver.watch(id), id)
        return () => {
          delete observers[id]
          // The browser may be closed by then, which stops it as well.
          watching.then(() => page.evaluate((id) => window.driver.stop(id), id)).catch(() => {})
        }
      },
    },
    cutNetwork: () => context.setOffline(true),
    mendNetwork: () => context.setOffline(false),
  }
}

/** Calls of a port, made in the page. */
function remote(page: Page, port: keyof Services, methods: string[]) {
  const call =
    (method: string) =>
    async (...args: unknown[]) => {
      const parts = { port, method, args }
      return resultOf(
        await page.evaluate(({ port, method, args }) => window.driver.call(port, method, args), parts),
      )
    }
  return Object.fromEntries(methods.map((method) => [method, call(method)])) as unknown
}
