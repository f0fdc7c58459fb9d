// The page in other languages than English, on the real build. The words come from the catalogs.
import type { Locator, Page } from '@playwright/test'
import compile from 'icu-minify/compile'
import format from 'icu-minify/format'
import { type FieldName, fieldNames, fieldOf, fieldRules } from '../../contract/employees.ts'
import { readCatalogs, readTexts } from '../../scripts/catalogs.ts'
import { newCredentials } from '../support/backend-client.ts'
import { allowConsole, expect, test } from '../support/e2e/fixture.ts'
import { ada, grace, named, nameOf } from '../support/people.ts'
import { sample } from '../support/sample.ts'

const catalogs = readCatalogs()
const formatters = {
  getNumberFormat: (locale: string) => new Intl.NumberFormat(locale),
  getPluralRules: (locale: string) => new Intl.PluralRules(locale),
  getDateTimeFormat: (locale: string) => new Intl.DateTimeFormat(locale),
}

/** Returns what the page says in a language. */
const speak =
  (language: string) =>
  (text: string, values: Record<string, string | number> = {}) => {
    const translation = catalogs[language]?.[text]
    if (!translation) throw new Error(`${language} has no translation of "${text}".`)
    return format(compile(translation), language, values, { formatters }) as string
  }

/** The texts that are not the same in a language, as patterns. A text of placeholders alone would match any. */
function findEnglishPatterns(language: string): RegExp[] {
  const own = readTexts().filter(
    (text) => catalogs[language]?.[text] !== text && !/, (plural|select)/.test(text),
  )
  return own
    .filter((text) => /\p{L}{3}/u.test(text.replaceAll(/\{.*?\}/g, '')))
    .map((text) => text.replaceAll(/[\\^$.*+?()[\]|/]/g, '\\$&').replaceAll(/\{.*?\}/g, '.+'))
    .map((pattern) => new RegExp(`^${pattern}$`, 'i'))
}

/** Reads all texts and names for screen readers, without the values of the records. */
const readScreen = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = [document.title.replace(' · Staffbook', '')]
    for (const element of document.body.querySelectorAll<HTMLElement>('*')) {
      if (element.closest('[translate=no], script, style, noscript, kbd') || !element.checkVisibility())
        continue
      for (const name of ['aria-label', 'placeholder', 'title', 'alt'])
        found.push(element.getAttribute(name) ?? '')
      for (const node of element.childNodes) if (node instanceof Text) found.push(node.data)
    }
    return found.map((text) => text.replaceAll(/[\u2068\u2069]/g, '').trim())
  })

async function expectNoEnglish(page: Page, language: string, state: string) {
  const patterns = findEnglishPatterns(language)
  const own = new Set(Object.values(catalogs[language] ?? {}))
  const texts = (await readScreen(page)).filter((text) => !own.has(text))
  expect(
    texts.filter((text) => patterns.some((pattern) => pattern.test(text))),
    state,
  ).toEqual([])
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow, `${state}: width`).toBeLessThanOrEqual(0)
}

for (const language of ['de', 'ar']) {
  test.describe(`the page in ${language}`, () => {
    test.use({ locale: language })
    const t = speak(language)

    test('signs up, signs in, adds, reveals, edits, deletes, undoes, searches, opens dialogs and signs out', {
      tag: language === 'de' ? '@main' : [],
    }, async ({ page }) => {
      const person = newCredentials()
      allowConsole(/40[01]/, /Sign-in failed/)
      const check = (state: string) => expectNoEnglish(page, language, state)
      const press = (text: string) => page.getByRole('button', { name: t(text), exact: true }).click()
      const fillAccount = async () => {
        await page.getByLabel(t('Email'), { exact: true }).fill(person.email)
        await page.getByLabel(t('Password'), { exact: true }).fill(person.password)
      }
      await page.goto('/')
      await expect(page.locator('html')).toHaveAttribute('lang', language)
      await expect(page.locator('html')).toHaveJSProperty('dir', language === 'ar' ? 'rtl' : '')
      await expect(page.getByRole('heading', { name: t('Create Your Account') })).toBeVisible()
      await check('sign-up')
      await fillAccount()
      await press('Sign Up')
      await expect(page.getByRole('heading', { name: t('Welcome Back') })).toBeVisible()
      await check('sign-in')
      await page.getByLabel(t('Email'), { exact: true }).fill(person.email)
      await page.getByLabel(t('Password'), { exact: true }).fill('a wrong password')
      await press('Sign In')
      await expect(page.getByRole('alert')).toContainText(t('Wrong email or password.'))
      await check('a failed sign-in')
      await fillAccount()
      await press('Sign In')
      await expect(page.getByText(t('No employees yet'))).toBeVisible()
      await check('the empty register')

      const form = page.getByRole('form', { name: t('Employee Data Form') })
      const field = (name: FieldName) => form.getByLabel(t(fieldRules[name].label), { exact: true })
      const row = page.getByRole('table').locator('tbody').getByRole('row')
      for (const name of fieldNames) await field(name).fill(fieldOf(ada, name))
      await form.getByRole('button', { name: t('Submit'), exact: true }).click()
      await expect(row).toHaveCount(1)
      await page
        .getByRole('button', {
          name: t('Show {field} of {name}', { field: t('password'), name: nameOf(ada) }),
        })
        .click()
      await expect(row.locator('input:disabled')).toHaveValue(ada.password)
      await page.getByRole('button', { name: t('Edit {name}', { name: nameOf(ada) }) }).click()
      await expect(form).toContainText(t('Editing {name}', { name: nameOf(ada) }))
      await check('an edit')
      await form.getByLabel(t('Employee Name'), { exact: true }).fill(nameOf(grace))
      await form.getByRole('button', { name: t('Update'), exact: true }).click()
      await expect(row.getByRole('rowheader')).toHaveText(nameOf(grace))
      await page.getByRole('button', { name: t('Delete {name}', { name: nameOf(grace) }) }).click()
      await expect(row).toHaveCount(0)
      await check('a deletion')
      await page
        .getByRole('region', { name: t('Recent changes') })
        .getByRole('button', {
          name: t(
            '{state, select, imported {Undo import} updated {Undo edit} discarded {Undo discard} other {Undo delete}}',
            { state: 'deleted' },
          ),
          exact: true,
        })
        .first()
        .click()
      await expect(row).toHaveCount(1)
      await page.getByRole('searchbox').fill('nobody')
      await expect(row).toHaveCount(0)
      await check('nothing found')
      await page.keyboard.press('Escape')
      for (const name of [
        'Import',
        'Change password',
        'Activity',
        'Recently deleted',
        'Keyboard shortcuts',
        'Help',
      ]) {
        if (name !== 'Import') await press('Account menu')
        await press(name)
        await expect(page.getByRole('dialog').getByRole('heading', { name: t(name) })).toBeVisible()
        await check(name)
        await page.keyboard.press('Escape')
        await expect(page.getByRole('dialog')).toHaveCount(0)
      }
      await press('Logout')
      await expect(page.getByRole('heading', { name: t('Create Your Account') })).toBeVisible()
    })
  })
}

const locales = [
  ['de-AT', 'de'],
  ['pt-PT', 'pt-BR'],
  ['zh-CN', 'zh-Hans'],
  ['zh-TW', 'en'],
  ['nl', 'en'],
] as const

for (const [locale, language] of sample(locales, 1, { isCorner: ([locale]) => locale === 'zh-TW' })) {
  test.describe(`a browser in ${locale}`, () => {
    test.use({ locale })

    test(`shows ${language}, and requests its catalog with the page`, async ({ page }) => {
      await page.goto('/')
      await expect(page.getByRole('heading')).toBeVisible()
      await expect(page.locator('html')).toHaveAttribute('lang', language)
      const loaded = await page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .map(({ name, ...entry }) => [name, (entry as PerformanceResourceTiming).initiatorType]),
      )
      const links = await page
        .locator('link[rel=modulepreload]')
        .evaluateAll((all) => all.map((link) => (link as HTMLLinkElement).href))
      // That of the screen, and the catalog.
      expect(links).toHaveLength(language === 'en' ? 1 : 2)
      for (const link of links) expect(loaded.filter(([name]) => name === link)).toHaveLength(1)
    })
  })
}

test('a chosen language is kept, and so is an email that was typed before', async ({ records: { page } }) => {
  // Wait for the list: on the hosted backend a reload or a logout makes requests fail, which the browser logs.
  const expectRead = (name: string) => expect(page.getByRole('button', { name })).toBeVisible()
  await expectRead('Add the first record')
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('combobox', { name: 'Language' }).selectOption('Français')
  const t = speak('fr')
  await expectRead(t('Add the first record'))
  await page.getByRole('button', { name: t('Logout') }).click()
  await expect(page.getByRole('heading', { name: t('Create Your Account') })).toBeVisible()
  await page.getByLabel(t('Email'), { exact: true }).fill(ada.email)
  await page.getByRole('combobox', { name: t('Language') }).selectOption('English')
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(ada.email)
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
})

test('a pressed chip leaves the search where it is, and an edit the fields, in any language', async ({
  records,
}) => {
  const { page } = records
  const people = [ada, named('Bo', { password: '123456' }), named('Cy', { password: '123456' })]
  for (const person of people) await records.add(person)
  let t: ReturnType<typeof speak> = (text) => text
  for (const language of sample(Object.keys(catalogs), 2, { salt: 'chip and edit' })) {
    await page.getByRole('button', { name: t('Account menu'), exact: true }).click()
    await page.getByRole('combobox', { name: t('Language') }).selectOption(language)
    t = speak(language)
    const chips = page.getByRole('group', { name: t('Passwords to replace') }).getByRole('button')
    await expect(chips).toHaveCount(2)
    await page.keyboard.press('Escape')
    const leftOf = async (part: Locator) => (await part.boundingBox())?.x ?? 0
    const email = page.getByLabel(t('Email'), { exact: true })
    const before = [await leftOf(page.getByRole('searchbox')), await leftOf(email)]
    await chips.first().click()
    await expect(chips).toHaveCount(3)
    const search = await leftOf(page.getByRole('searchbox'))
    await chips.first().click()
    await expect(chips).toHaveCount(2)
    await page.getByRole('button', { name: t('Edit {name}', { name: nameOf(ada) }) }).click()
    await expect(page.getByRole('button', { name: t('Cancel'), exact: true })).toBeVisible()
    const moved = [search, await leftOf(email)].map((left, i) => Math.abs(left - (before[i] ?? 0)) > 1)
    expect(moved, language).toEqual([false, false])
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: t('Cancel'), exact: true })).toHaveCount(0)
  }
})
