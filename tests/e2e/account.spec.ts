import { newCredentials } from '../support/backend-client.ts'
import { allowConsole, expect, signIn, signUp, test } from '../support/e2e/fixture.ts'
import { recordsIn } from '../support/e2e/records.ts'
import { ada, grace } from '../support/people.ts'

test('a changed password replaces the session cookie, and every tab of the browser stays signed in and live', {
  tag: '@main',
}, async ({ page, context }) => {
  const person = newCredentials()
  await signUp(page, person)
  await signIn(page, person)
  const [records, otherTab] = [recordsIn(page), recordsIn(await context.newPage())]
  await otherTab.page.goto('/form')
  await expect(otherTab.form).toBeVisible()
  const readToken = async () =>
    (await context.cookies()).find(({ name }) => name.startsWith('session-'))?.value
  const before = await readToken()
  await records.chooseInMenu('Change password')
  const dialog = page.getByRole('dialog', { name: 'Change password' })
  await dialog.getByLabel('Current password', { exact: true }).fill(person.password)
  await dialog.getByLabel('New password', { exact: true }).fill('another one of one’s own')
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await expect(dialog).toContainText('Password changed.')
  expect(await readToken()).not.toBe(before)
  await page.keyboard.press('Enter')
  await records.add(ada)
  await expect(otherTab.rowOf(ada)).toBeVisible()
  await otherTab.add(grace)
  await expect(records.rowOf(grace)).toBeVisible()
})

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 820, height: 1180 } })

  test('the search box shows no shortcut', async ({ records, page }) => {
    await records.add(ada)
    await expect(page.getByRole('searchbox', { name: 'Search' })).toBeVisible()
    await expect(page.getByRole('search').getByText('/', { exact: true })).toBeHidden()
  })
})

for (const width of [390, 320])
  test.describe(`on a phone of ${width} px`, () => {
    test.use({ hasTouch: true, isMobile: true, viewport: { width, height: 700 } })

    test('a tap anywhere on an email copies it', async ({ context, records, page }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await records.create(ada)
      const text = records.rowOf(ada).getByText(ada.email)
      await expect(text).toBeVisible()
      const box = await text.boundingBox()
      await page.touchscreen.tap((box?.x ?? 0) + 4, (box?.y ?? 0) + (box?.height ?? 0) / 2)
      await expect(page.getByRole('status').getByText('Email of Ada Lovelace copied.')).toBeVisible()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(ada.email)
      const copyButton = records.rowOf(ada).getByRole('button', { name: 'Copy email' })
      expect((await copyButton.boundingBox())?.height).toBeGreaterThanOrEqual(44)
      if (width === 390)
        await expect.poll(() => text.evaluate((e) => e.scrollWidth - e.clientWidth)).toBeLessThanOrEqual(0)
    })
  })

test('says what to allow if the browser blocks all storage', async ({ page }) => {
  await page.addInitScript(() =>
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('denied', 'SecurityError')
      },
    }),
  )
  for (const path of ['/', '/signin', '/form']) {
    await page.goto(path)
    await expect(page.getByRole('alert')).toContainText('Your browser blocks cookies and site data')
  }
})

test('signs up, in and saves although the browser refuses session storage, with a link too', async ({
  page,
}) => {
  // The link does not exist.
  allowConsole(/410/)
  await page.addInitScript(() =>
    Object.defineProperty(window, 'sessionStorage', {
      get() {
        throw new DOMException('denied', 'SecurityError')
      },
    }),
  )
  const person = newCredentials()
  await signUp(page, person)
  await signIn(page, person)
  const records = recordsIn(page)
  await records.add(ada)
  await page.reload()
  await expect(records.rowOf(ada)).toBeVisible()
  await page.goto(`/signin#reset=${'a'.repeat(43)}`)
  await expect(page.getByRole('heading', { name: 'This Link No Longer Works' })).toBeVisible()
  await expect(page).toHaveURL('/signin')
})
