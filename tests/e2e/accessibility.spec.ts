import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { paths } from '../../contract/protocol.ts'
import { createEmployees, makeEmployees } from '../support/e2e/employees.ts'
import {
  ada,
  addEmployee,
  alan,
  expect,
  fillForm,
  form,
  grace,
  outboxList,
  rowOf,
  rows,
  signIn,
  signUp,
  table,
  test,
} from '../support/e2e/fixture.ts'

const longName = `${'Name '.repeat(1_000)}end`
const edgeCaseEmployees = [
  ada,
  { eName: longName, email: 'five-thousand@example.com', password: 'x'.repeat(2_000) },
  { eName: 'x'.repeat(300), email: `${'long'.repeat(16)}@${'domain'.repeat(10)}.example`, password: 'x' },
  { eName: 'عائشة بنت أبي بكر', email: 'aisha@example.com', password: 'كلمة' },
  { eName: '👩‍💻 Emoji 🎈', email: 'emoji@example.com', password: '🔑🔑' },
  { eName: '   ', email: 'nameless@example.com', password: 'x' },
]

const appearances = [
  { name: 'light', options: { colorScheme: 'light' }, width: 1280 },
  { name: 'dark', options: { colorScheme: 'dark' }, width: 1280 },
  { name: 'light on a phone', options: { colorScheme: 'light' }, width: 320 },
  { name: 'dark on a phone', options: { colorScheme: 'dark' }, width: 320 },
  { name: 'high contrast', options: { forcedColors: 'active', contrast: 'more' }, width: 1280 },
] as const

/**
 * No violation of axe's rules, and nothing that scrolls sideways, in any look. `again` brings back, before each, what goes
 * away by itself: axe must not be looking at it while it does.
 */
async function expectAccessible(page: Page, state: string, prepare = async () => {}) {
  for (const { name, options, width } of appearances) {
    await page.emulateMedia({
      reducedMotion: 'reduce',
      forcedColors: 'none',
      contrast: 'no-preference',
      ...options,
    })
    await page.setViewportSize({ width, height: 800 })
    await prepare()
    const { violations } = await new AxeBuilder({ page }).analyze()
    const found = violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .map(({ html }) => html)
          .join(' ')
          .slice(0, 300)}`,
    )
    expect(found, `${state}, ${name}`).toEqual([])
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(beyond, `${state}, ${name}: scrolls sideways`).toBeLessThanOrEqual(0)
  }
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light', forcedColors: 'none' })
  await page.setViewportSize({ width: 1280, height: 800 })
}

test.describe('axe', () => {
  test.slow()

  test('axe: the account screens have no violation, with a notice and with an alert', async ({
    page,
    expectedErrors,
  }) => {
    expectedErrors.push(/401/, /Sign-in failed/)
    await page.goto('/')
    await expectAccessible(page, 'sign-up')
    await signUp(page)
    await expectAccessible(page, 'sign-in, account ready')
    await page.getByLabel('Password').fill('wrong password')
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByRole('alert')).toContainText('Error')
    await expectAccessible(page, 'sign-in, alert')
  })

  test('axe: the register has no violation: empty, filled, searched, nobody found', async ({
    recordsPage,
  }) => {
    await expect(recordsPage.getByText('Nobody is in the register yet')).toBeVisible()
    await expectAccessible(recordsPage, 'empty')
    await createEmployees(recordsPage, edgeCaseEmployees)
    await expect(rows(recordsPage)).toHaveCount(edgeCaseEmployees.length)
    await expectAccessible(recordsPage, 'filled')
    await recordsPage.getByRole('searchbox').fill('example')
    await expect(recordsPage.locator('mark').first()).toBeVisible()
    await expectAccessible(recordsPage, 'searched')
    await recordsPage.getByRole('searchbox').fill('nobody')
    await expect(recordsPage.getByText('Nobody found for')).toBeVisible()
    await expectAccessible(recordsPage, 'nobody found')
  })

  test('axe: the form has no violation: editing, duplicate, strength, generator, revealed, strip, notice', async ({
    recordsPage,
  }) => {
    const gone = { ...grace, eName: 'Grace'.repeat(40) }
    const twin = { ...alan, eName: 'Alan'.repeat(50) }
    await createEmployees(recordsPage, [ada, gone, twin])
    await expect(rows(recordsPage)).toHaveCount(3)
    await recordsPage.getByRole('button', { name: `Show password of ${ada.eName}` }).click()
    await recordsPage.getByRole('button', { name: `Delete ${gone.eName}` }).click()
    await expect(outboxList(recordsPage)).toContainText('Deleted')
    await recordsPage.getByRole('button', { name: `Edit ${ada.eName}` }).click()
    await fillForm(recordsPage, { ...ada, email: alan.email, password: 'ada12345' })
    await recordsPage.getByRole('button', { name: 'Generate one' }).click()
    await expect(recordsPage.getByRole('group', { name: 'Password generator' })).toBeVisible()
    await expect(form(recordsPage).getByRole('link', { name: twin.eName })).toBeVisible()
    await expectAccessible(recordsPage, 'the form at work', () =>
      recordsPage.getByRole('button', { name: `Copy email of ${ada.eName}` }).click(),
    )
  })

  test('axe: dialogs have no violation', async ({ recordsPage }) => {
    await addEmployee(recordsPage, ada)
    for (const [button, title] of [
      ['Keyboard shortcuts', 'Keyboard shortcuts'],
      ['Import', 'Import'],
      ['Export', 'Export'],
    ] as const) {
      await recordsPage.getByRole('button', { name: button, exact: true }).click()
      await expect(recordsPage.getByRole('dialog', { name: title })).toBeVisible()
      await expectAccessible(recordsPage, title)
      await recordsPage.keyboard.press('Escape')
      await expect(recordsPage.getByRole('dialog')).toHaveCount(0)
    }
  })

  test('axe: offline and an ended session have no violation', async ({ recordsPage, expectedErrors }) => {
    expectedErrors.push(/ERR_INTERNET_DISCONNECTED|Failed to load|401/)
    await addEmployee(recordsPage, ada)
    await recordsPage.context().setOffline(true)
    await expect(recordsPage.getByText('No connection to the register')).toBeVisible()
    await fillForm(recordsPage, grace)
    await form(recordsPage).getByRole('button', { name: 'Submit' }).click()
    await expect(outboxList(recordsPage)).toContainText('Not saved')
    await expectAccessible(recordsPage, 'offline')
    await recordsPage.context().setOffline(false)
    await expect(outboxList(recordsPage)).not.toContainText('Not saved')
    await recordsPage.request.delete(paths.session)
    await expect(recordsPage.getByRole('alert')).toContainText('Your session has ended')
    await expectAccessible(recordsPage, 'session ended')
  })
})

test('states: while the register is read a skeleton stands where the rows will be, and nothing jumps', async ({
  recordsPage,
  baseURL,
}) => {
  await addEmployee(recordsPage, ada)
  let letThrough = () => {}
  const held = new Promise<void>((resolve) => {
    letThrough = resolve
  })
  await recordsPage.route(`**${paths.books}`, async (route) => {
    await held
    await route.continue()
  })
  await recordsPage.goto(`${baseURL}/form`)
  await expect(recordsPage.getByText('Reading the register …')).toBeAttached()
  const top = async () => (await table(recordsPage).boundingBox())?.y
  const before = await top()
  await expectAccessible(recordsPage, 'reading')
  letThrough()
  await expect(rowOf(recordsPage, ada.eName)).toBeVisible()
  expect(await top()).toBe(before)
})

test('themes: a chosen theme holds against the system’s, and from the first paint of the next visit', async ({
  recordsPage,
}) => {
  const ground = () => recordsPage.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  await recordsPage.emulateMedia({ colorScheme: 'light' })
  const light = await ground()
  await recordsPage.getByRole('combobox', { name: 'Theme' }).selectOption('Dark')
  const dark = await ground()
  expect(dark).not.toBe(light)
  await recordsPage.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.body) return
      observer.disconnect()
      document.documentElement.dataset.firstTheme = document.documentElement.dataset.theme
    }).observe(document, { childList: true, subtree: true })
  })
  await recordsPage.reload()
  await expect(recordsPage.locator('html[data-first-theme="dark"]')).toBeAttached()
  expect(await ground()).toBe(dark)
  await recordsPage.getByRole('combobox', { name: 'Theme' }).selectOption('System')
  expect(await ground()).toBe(light)
  expect(await recordsPage.evaluate(() => localStorage.getItem('theme'))).toBeNull()
})

test('phone: rows are cards that stay a table, and every target is 44 px', async ({ recordsPage }) => {
  await createEmployees(recordsPage, edgeCaseEmployees)
  await recordsPage.setViewportSize({ width: 320, height: 720 })
  await expect(rows(recordsPage)).toHaveCount(edgeCaseEmployees.length)
  await expect(table(recordsPage).getByRole('columnheader')).toHaveText([
    '#',
    'Employee Name',
    'Email',
    'Password',
    'Action',
  ])
  await expect(rowOf(recordsPage, ada.eName).getByRole('cell')).toHaveCount(4)
  await recordsPage.getByRole('button', { name: 'Generate one' }).click()
  await expect(recordsPage.getByRole('group', { name: 'Password generator' })).toBeVisible()
  const small = await recordsPage.evaluate(() =>
    [...document.querySelectorAll('button, a, select, input:not([disabled], [type="checkbox"])')]
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && (box.width < 44 || box.height < 44))
      .map(({ element, box }) => `${element.outerHTML.slice(0, 120)} ${box.width}×${box.height}`),
  )
  expect(small).toEqual([])
})

test('messages: what has succeeded does not look like a warning', async ({ page, expectedErrors }) => {
  expectedErrors.push(/ERR_INTERNET_DISCONNECTED|Failed to load/)
  const ground = (words: string) =>
    page
      .getByRole('status')
      .filter({ hasText: words })
      .evaluate((message) => getComputedStyle(message).backgroundColor)
  await signUp(page)
  const ready = await ground('Your account is ready')
  await signIn(page)
  await expect(rows(page)).toHaveCount(0)
  await page.context().setOffline(true)
  await expect(page.getByText('No connection to the register')).toBeVisible()
  const lost = await ground('No connection to the register')
  expect(ready).not.toBe(lost)
})

test('phone: the buttons that sort are whole where nobody is found', async ({ recordsPage }) => {
  await recordsPage.setViewportSize({ width: 390, height: 720 })
  await addEmployee(recordsPage, ada)
  await recordsPage.getByRole('searchbox').fill('nobody')
  await expect(recordsPage.getByText('Nobody found for')).toBeVisible()
  for (const header of await table(recordsPage).locator('th[data-sortable=true]').all())
    await expect(header).toHaveCSS('border-bottom-width', '1px')
})

test('text: at 200 % nothing is lost sideways, on a screen and on a phone', async ({ recordsPage }) => {
  await createEmployees(recordsPage, edgeCaseEmployees)
  await expect(rows(recordsPage)).toHaveCount(edgeCaseEmployees.length)
  await recordsPage.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
  for (const width of [1280, 640, 320]) {
    await recordsPage.setViewportSize({ width, height: 800 })
    const beyond = await recordsPage.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(beyond, `${width} px`).toBeLessThanOrEqual(0)
  }
})

test('right to left: the page turns around as a whole', async ({ recordsPage }) => {
  await createEmployees(recordsPage, [ada, grace])
  await expect(rows(recordsPage)).toHaveCount(2)
  await recordsPage.evaluate(() => {
    document.documentElement.dir = 'rtl'
  })
  const left = async (name: string) =>
    (await table(recordsPage).getByRole('columnheader', { name, exact: true }).boundingBox())?.x ?? 0
  expect(await left('#')).toBeGreaterThan(await left('Employee Name'))
  expect(await left('Employee Name')).toBeGreaterThan(await left('Action'))
  await expectAccessible(recordsPage, 'right to left')
})

test('keyboard alone: a record is added, edited, revealed, deleted and brought back', async ({
  recordsPage,
}) => {
  const press = async (...keys: string[]) => {
    for (const key of keys) await recordsPage.keyboard.press(key)
  }
  const tabTo = async (name: string) => {
    const target = recordsPage.getByRole('button', { name, exact: true })
    for (let step = 0; step < 40; step++) {
      if (await target.evaluate((element) => element === document.activeElement)) return
      await press('Tab')
    }
    throw new Error(`${name} is out of the keyboard's reach.`)
  }
  await press('n')
  await recordsPage.keyboard.type(ada.eName)
  await press('Tab')
  await recordsPage.keyboard.type(ada.email)
  await press('Tab')
  await recordsPage.keyboard.type(ada.password)
  await press('Enter')
  await expect(rowOf(recordsPage, ada.eName)).toBeVisible()
  await tabTo(`Show password of ${ada.eName}`)
  await press('Enter')
  await expect(rowOf(recordsPage, ada.eName).getByRole('textbox')).toHaveAttribute('type', 'text')
  await tabTo(`Edit ${ada.eName}`)
  await press('Enter')
  await press('Control+a')
  await recordsPage.keyboard.type('Ada King')
  await press('Enter')
  await expect(rows(recordsPage)).toContainText([/^1Ada King/])
  await tabTo('Delete Ada King')
  await press('Delete')
  await expect(rows(recordsPage)).toHaveCount(0)
  await tabTo('Undo')
  await press('Enter')
  await expect(rows(recordsPage)).toHaveCount(1)
})

test('manifest: the page can be installed, and its icons are there', async ({ page, request }) => {
  await page.goto('/')
  const href = await page.locator('link[rel="manifest"]').getAttribute('href')
  const answer = await request.get(href ?? '')
  expect(answer.headers()['content-type']).toContain('manifest')
  const manifest = await answer.json()
  expect(manifest).toMatchObject({ name: 'Staffbook', start_url: '/form', display: 'standalone' })
  for (const { src } of manifest.icons) expect((await request.get(src)).ok()).toBe(true)
})

test('print: every row is on paper, with name and email, without a password', async ({ recordsPage }) => {
  await createEmployees(recordsPage, [...makeEmployees(120), grace])
  await expect(recordsPage.getByText('121', { exact: true }).first()).toBeVisible()
  await recordsPage.emulateMedia({ media: 'print' })
  await recordsPage.evaluate(() => dispatchEvent(new Event('beforeprint')))
  await expect(table(recordsPage).locator('tbody tr')).toHaveCount(121)
  await expect(table(recordsPage).locator('tbody')).toContainText(grace.email)
  await expect(table(recordsPage).locator('tbody input')).toHaveCount(0)
  await expect(table(recordsPage).locator('tbody td').first()).toHaveCSS('text-align', 'end')
  await expect(form(recordsPage)).toBeHidden()
  await expect(recordsPage.getByRole('searchbox')).toBeHidden()
  await recordsPage.evaluate(() => dispatchEvent(new Event('afterprint')))
  await recordsPage.emulateMedia({ media: 'screen' })
  await expect(rowOf(recordsPage, 'Person 0').getByRole('button')).toHaveCount(5)
})

test('states: a reload right after a submit brings back nothing that is on its way already', async ({
  recordsPage,
}) => {
  for (let turn = 0; turn < 3; turn++) {
    await fillForm(recordsPage, { ...ada, eName: `Ada ${turn}` })
    await form(recordsPage).getByRole('button', { name: 'Submit' }).click()
    await expect(rowOf(recordsPage, `Ada ${turn}`)).toBeVisible()
    await recordsPage.reload()
    await expect(rowOf(recordsPage, `Ada ${turn}`)).toBeVisible()
    await expect(form(recordsPage).getByRole('textbox', { name: 'Employee Name' })).toHaveValue('')
  }
})
