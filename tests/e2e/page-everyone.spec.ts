import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { paths } from '../../contract/protocol.ts'
import {
  ada,
  add,
  alan,
  expect,
  fill,
  form,
  grace,
  row,
  rows,
  signIn,
  signUp,
  strip,
  table,
  test,
} from '../support/e2e/fixture.ts'
import { addMany, people } from '../support/e2e/people.ts'

const longName = `${'Name '.repeat(1_000)}end`
const odd = [
  ada,
  { eName: longName, email: 'five-thousand@example.com', password: 'x'.repeat(2_000) },
  { eName: 'x'.repeat(300), email: `${'long'.repeat(16)}@${'domain'.repeat(10)}.example`, password: 'x' },
  { eName: 'عائشة بنت أبي بكر', email: 'aisha@example.com', password: 'كلمة' },
  { eName: '👩‍💻 Emoji 🎈', email: 'emoji@example.com', password: '🔑🔑' },
  { eName: '   ', email: 'nameless@example.com', password: 'x' },
]

const looks = [
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
async function expectAccessible(page: Page, state: string, again = async () => {}) {
  for (const { name, options, width } of looks) {
    await page.emulateMedia({
      reducedMotion: 'reduce',
      forcedColors: 'none',
      contrast: 'no-preference',
      ...options,
    })
    await page.setViewportSize({ width, height: 800 })
    await again()
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

  test('axe: the register has no violation: empty, filled, searched, nobody found', async ({ register }) => {
    await expect(register.getByText('Nobody is in the register yet')).toBeVisible()
    await expectAccessible(register, 'empty')
    await addMany(register, odd)
    await expect(rows(register)).toHaveCount(odd.length)
    await expectAccessible(register, 'filled')
    await register.getByRole('searchbox').fill('example')
    await expect(register.locator('mark').first()).toBeVisible()
    await expectAccessible(register, 'searched')
    await register.getByRole('searchbox').fill('nobody')
    await expect(register.getByText('Nobody found for')).toBeVisible()
    await expectAccessible(register, 'nobody found')
  })

  test('axe: the form has no violation: editing, duplicate, strength, generator, revealed, strip, notice', async ({
    register,
  }) => {
    const gone = { ...grace, eName: 'Grace'.repeat(40) }
    const twin = { ...alan, eName: 'Alan'.repeat(50) }
    await addMany(register, [ada, gone, twin])
    await expect(rows(register)).toHaveCount(3)
    await register.getByRole('button', { name: `Show password of ${ada.eName}` }).click()
    await register.getByRole('button', { name: `Delete ${gone.eName}` }).click()
    await expect(strip(register)).toContainText('Deleted')
    await register.getByRole('button', { name: `Edit ${ada.eName}` }).click()
    await fill(register, { ...ada, email: alan.email, password: 'ada12345' })
    await register.getByRole('button', { name: 'Generate one' }).click()
    await expect(register.getByRole('group', { name: 'Password generator' })).toBeVisible()
    await expect(form(register).getByRole('link', { name: twin.eName })).toBeVisible()
    await expectAccessible(register, 'the form at work', () =>
      register.getByRole('button', { name: `Copy email of ${ada.eName}` }).click(),
    )
  })

  test('axe: dialogs have no violation', async ({ register }) => {
    await add(register, ada)
    for (const [button, title] of [
      ['Keyboard shortcuts', 'Keyboard shortcuts'],
      ['Import', 'Import'],
      ['Export', 'Export'],
    ] as const) {
      await register.getByRole('button', { name: button, exact: true }).click()
      await expect(register.getByRole('dialog', { name: title })).toBeVisible()
      await expectAccessible(register, title)
      await register.keyboard.press('Escape')
      await expect(register.getByRole('dialog')).toHaveCount(0)
    }
  })

  test('axe: offline and an ended session have no violation', async ({ register, expectedErrors }) => {
    expectedErrors.push(/ERR_INTERNET_DISCONNECTED|Failed to load|401/)
    await add(register, ada)
    await register.context().setOffline(true)
    await expect(register.getByText('No connection to the register')).toBeVisible()
    await fill(register, grace)
    await form(register).getByRole('button', { name: 'Submit' }).click()
    await expect(strip(register)).toContainText('Not saved')
    await expectAccessible(register, 'offline')
    await register.context().setOffline(false)
    await expect(strip(register)).not.toContainText('Not saved')
    await register.request.delete(paths.session)
    await expect(register.getByRole('alert')).toContainText('Your session has ended')
    await expectAccessible(register, 'session ended')
  })
})

test('states: while the register is read a skeleton stands where the rows will be, and nothing jumps', async ({
  register,
  baseURL,
}) => {
  await add(register, ada)
  let letThrough = () => {}
  const held = new Promise<void>((resolve) => {
    letThrough = resolve
  })
  await register.route(`**${paths.books}`, async (route) => {
    await held
    await route.continue()
  })
  await register.goto(`${baseURL}/form`)
  await expect(register.getByText('Reading the register …')).toBeAttached()
  const top = async () => (await table(register).boundingBox())?.y
  const before = await top()
  await expectAccessible(register, 'reading')
  letThrough()
  await expect(row(register, ada.eName)).toBeVisible()
  expect(await top()).toBe(before)
})

test('themes: a chosen theme holds against the system’s, and from the first paint of the next visit', async ({
  register,
}) => {
  const ground = () => register.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  await register.emulateMedia({ colorScheme: 'light' })
  const light = await ground()
  await register.getByRole('combobox', { name: 'Theme' }).selectOption('Dark')
  const dark = await ground()
  expect(dark).not.toBe(light)
  await register.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.body) return
      observer.disconnect()
      document.documentElement.dataset.firstTheme = document.documentElement.dataset.theme
    }).observe(document, { childList: true, subtree: true })
  })
  await register.reload()
  await expect(register.locator('html[data-first-theme="dark"]')).toBeAttached()
  expect(await ground()).toBe(dark)
  await register.getByRole('combobox', { name: 'Theme' }).selectOption('System')
  expect(await ground()).toBe(light)
  expect(await register.evaluate(() => localStorage.getItem('theme'))).toBeNull()
})

test('phone: rows are cards that stay a table, and every target is 44 px', async ({ register }) => {
  await addMany(register, odd)
  await register.setViewportSize({ width: 320, height: 720 })
  await expect(rows(register)).toHaveCount(odd.length)
  await expect(table(register).getByRole('columnheader')).toHaveText([
    '#',
    'Employee Name',
    'Email',
    'Password',
    'Action',
  ])
  await expect(row(register, ada.eName).getByRole('cell')).toHaveCount(4)
  await register.getByRole('button', { name: 'Generate one' }).click()
  await expect(register.getByRole('group', { name: 'Password generator' })).toBeVisible()
  const small = await register.evaluate(() =>
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

test('phone: the buttons that sort are whole where nobody is found', async ({ register }) => {
  await register.setViewportSize({ width: 390, height: 720 })
  await add(register, ada)
  await register.getByRole('searchbox').fill('nobody')
  await expect(register.getByText('Nobody found for')).toBeVisible()
  for (const header of await table(register).locator('th[data-sorts=true]').all())
    await expect(header).toHaveCSS('border-bottom-width', '1px')
})

test('text: at 200 % nothing is lost sideways, on a screen and on a phone', async ({ register }) => {
  await addMany(register, odd)
  await expect(rows(register)).toHaveCount(odd.length)
  await register.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
  for (const width of [1280, 640, 320]) {
    await register.setViewportSize({ width, height: 800 })
    const beyond = await register.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(beyond, `${width} px`).toBeLessThanOrEqual(0)
  }
})

test('right to left: the page turns around as a whole', async ({ register }) => {
  await addMany(register, [ada, grace])
  await expect(rows(register)).toHaveCount(2)
  await register.evaluate(() => {
    document.documentElement.dir = 'rtl'
  })
  const left = async (name: string) =>
    (await table(register).getByRole('columnheader', { name, exact: true }).boundingBox())?.x ?? 0
  expect(await left('#')).toBeGreaterThan(await left('Employee Name'))
  expect(await left('Employee Name')).toBeGreaterThan(await left('Action'))
  await expectAccessible(register, 'right to left')
})

test('keyboard alone: a record is added, edited, revealed, deleted and brought back', async ({
  register,
}) => {
  const press = async (...keys: string[]) => {
    for (const key of keys) await register.keyboard.press(key)
  }
  const tabTo = async (name: string) => {
    const target = register.getByRole('button', { name, exact: true })
    for (let step = 0; step < 40; step++) {
      if (await target.evaluate((element) => element === document.activeElement)) return
      await press('Tab')
    }
    throw new Error(`${name} is out of the keyboard's reach.`)
  }
  await press('n')
  await register.keyboard.type(ada.eName)
  await press('Tab')
  await register.keyboard.type(ada.email)
  await press('Tab')
  await register.keyboard.type(ada.password)
  await press('Enter')
  await expect(row(register, ada.eName)).toBeVisible()
  await tabTo(`Show password of ${ada.eName}`)
  await press('Enter')
  await expect(row(register, ada.eName).getByRole('textbox')).toHaveAttribute('type', 'text')
  await tabTo(`Edit ${ada.eName}`)
  await press('Enter')
  await press('Control+a')
  await register.keyboard.type('Ada King')
  await press('Enter')
  await expect(rows(register)).toContainText([/^1Ada King/])
  await tabTo('Delete Ada King')
  await press('Delete')
  await expect(rows(register)).toHaveCount(0)
  await tabTo('Undo')
  await press('Enter')
  await expect(rows(register)).toHaveCount(1)
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

test('print: every row is on paper, with name and email, without a password', async ({ register }) => {
  await addMany(register, [...people(120), grace])
  await expect(register.getByText('121', { exact: true }).first()).toBeVisible()
  await register.emulateMedia({ media: 'print' })
  await register.evaluate(() => dispatchEvent(new Event('beforeprint')))
  await expect(table(register).locator('tbody tr')).toHaveCount(121)
  await expect(table(register).locator('tbody')).toContainText(grace.email)
  await expect(table(register).locator('tbody input')).toHaveCount(0)
  await expect(table(register).locator('tbody td').first()).toHaveCSS('text-align', 'end')
  await expect(form(register)).toBeHidden()
  await expect(register.getByRole('searchbox')).toBeHidden()
  await register.evaluate(() => dispatchEvent(new Event('afterprint')))
  await register.emulateMedia({ media: 'screen' })
  await expect(row(register, 'Person 0').getByRole('button')).toHaveCount(5)
})

test('states: a reload right after a submit brings back nothing that is on its way already', async ({
  register,
}) => {
  for (let turn = 0; turn < 3; turn++) {
    await fill(register, { ...ada, eName: `Ada ${turn}` })
    await form(register).getByRole('button', { name: 'Submit' }).click()
    await expect(row(register, `Ada ${turn}`)).toBeVisible()
    await register.reload()
    await expect(row(register, `Ada ${turn}`)).toBeVisible()
    await expect(form(register).getByRole('textbox', { name: 'Employee Name' })).toHaveValue('')
  }
})
