import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, signIn, signUp, test } from '../support/e2e/fixture.ts'
import { recordsIn } from '../support/e2e/records.ts'
import { minimalEnvironment } from '../support/environment.ts'
import { ada } from '../support/people.ts'
import { timeouts } from '../support/timeouts.ts'

let child: ChildProcess | undefined

test.afterEach(async () => {
  if (!child) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
})

test('npm run dev:firebase starts page and emulators, without an account at Google', async ({ browser }) => {
  // Both emulators and the page start at once, beside other tests.
  test.setTimeout(3 * timeouts.testMs)
  child = spawn(process.execPath, ['scripts/dev-firebase.ts'], {
    env: { ...process.env, ...minimalEnvironment() },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr?.on('data', (bytes) => {
    output += bytes
  })
  await expect.poll(() => /http:\/\/[^;\s]+/.exec(output)?.[0], { timeout: 2 * timeouts.testMs }).toBeTruthy()
  const baseURL = /http:\/\/[^;\s]+/.exec(output)?.[0] ?? ''
  const page = await browser.newPage({ baseURL })
  await signUp(page)
  await signIn(page)
  await recordsIn(page).add(ada)
  await page.reload()
  await recordsIn(page).expectNames(ada)
  await recordsIn(page).rowButton(ada, 'Hand over').click()
  await recordsIn(page).press('Make a link')
  await page.goto(await page.getByLabel('Link', { exact: true }).inputValue())
  await page.getByRole('button', { name: 'Show' }).click()
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(ada.password)
  await page.close()
})
