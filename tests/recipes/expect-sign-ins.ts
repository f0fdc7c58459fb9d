import { expect } from 'vitest'
import { checkProvider } from '../../server/auth/sso/check.ts'
import type { SsoSettings } from '../../server/auth/sso/settings.ts'
import { startTestServer } from '../support/server.ts'
import { createTestBrowser, type TestBrowser } from '../support/sso/browser.ts'

/**
 * Expects that somebody can sign in twice by way of a provider, and nobody else with their answer. `visit` opens an address of the
 * provider as they do, and resolves to the query with which it sends the browser back. Resolves to the browser that is signed in.
 */
export async function expectSignIns(
  sso: SsoSettings,
  email: string,
  visit: (address: URL) => Promise<string>,
): Promise<TestBrowser> {
  expect((await checkProvider(sso)).problems).toEqual([])
  const server = await startTestServer({ sso })
  const browser = createTestBrowser(server.url)
  for (let i = 0; i < 2; i++) {
    const response = await visit(await browser.begin())
    expect(await browser.answer(response)).toMatchObject({ status: 200, body: { email } })
  }
  const answered = await visit(await browser.begin())
  expect((await createTestBrowser(server.url).answer(answered)).status).toBe(401)
  return browser
}
