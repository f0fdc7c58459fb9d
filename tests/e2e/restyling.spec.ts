// How much of the page the browser restyles when something in it changes. Counts elements, so that it does not depend on the speed.
import type { Browser, Page } from '@playwright/test'
import { expect, test } from '../support/e2e/fixture.ts'
import { named } from '../support/people.ts'

const recordCount = 60
const people = Array.from({ length: recordCount }, (_, i) => named(`Person ${i}`))

for (const { title, size } of [
  { title: 'a wide screen', size: { width: 1280, height: 900 } },
  { title: 'a phone', size: { width: 390, height: 844 } },
])
  test(`a key or a press restyles a part of the page on ${title}, never all of it`, async ({
    records,
    browser,
  }) => {
    test.slow()
    const { page } = records
    await page.setViewportSize(size)
    await records.create(...people)
    await expect(records.table).toHaveAttribute('aria-rowcount', `${recordCount + 1}`)
    const [first = '', second = '', third = ''] = await records.names.allTextContents()
    const search = page.getByRole('searchbox')
    const select = (name: string) => records.rowOf(name).getByRole('checkbox').click()
    const acts: [string, () => Promise<void>][] = [
      ['a key in the search', () => search.press('1')],
      ['Escape in the search', () => search.press('Escape')],
      ['scrolling', () => page.evaluate(() => scrollBy(0, 400))],
      ['scrolling back', () => page.evaluate(() => scrollBy(0, -400))],
      ['select', () => select(first)],
      ['select another', () => select(second)],
      ['end the selection', () => page.keyboard.press('Escape')],
      ['show a password', () => records.rowButton(first, 'Show password').click()],
      ['hide it', () => records.rowButton(first, 'Show password').click()],
      ['edit', () => records.edit(second)],
      ['a key in the form', () => records.form.getByRole('textbox').first().press('A')],
      ['a key that deletes it', () => records.form.getByRole('textbox').first().press('Backspace')],
      ['cancel', () => records.form.getByRole('button', { name: 'Cancel' }).click()],
      ['delete a record', () => records.delete(third)],
      ['undo', () => records.undoBar.getByRole('button', { name: 'Undo' }).first().click()],
    ]
    // The first time loads the parts of the page that an act needs.
    for (const [, act] of acts) await act()
    const whole: string[] = []
    let total = 0
    for (const [name, act] of acts) {
      const restyled = await countRestyled(browser, page, act)
      total += restyled
      const all = await page.evaluate(() => document.querySelectorAll('*').length)
      // Escape inserts the rows that the search has hidden, more than half of the page.
      if (restyled > all * 0.8) whole.push(`${name}: ${restyled} of ${all} elements`)
    }
    expect(whole).toEqual([])
    expect(total).toBeGreaterThan(0)
  })

/** Returns the elements of the largest restyling until the page has painted what an act changes. */
async function countRestyled(browser: Browser, page: Page, act: () => Promise<void>): Promise<number> {
  await browser.startTracing(page, { categories: ['-*', 'devtools.timeline'] })
  await act()
  await page.evaluate(async () => {
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    await nextFrame()
    await Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {})))
    await nextFrame()
  })
  const { traceEvents }: { traceEvents: { name: string; args: { elementCount?: number } }[] } = JSON.parse(
    (await browser.stopTracing()).toString(),
  )
  const counts = traceEvents
    .filter(({ name }) => name === 'UpdateLayoutTree')
    .map(({ args }) => args.elementCount ?? 0)
  return Math.max(0, ...counts)
}
