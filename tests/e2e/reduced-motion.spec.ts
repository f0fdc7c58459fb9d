// With `prefers-reduced-motion` nothing moves for longer than an eye can see, in whatever state the page is.
import type { Page } from '@playwright/test'
import { paths } from '../../contract/protocol.ts'
import {
  ada,
  addEmployee,
  expect,
  fillForm,
  form,
  grace,
  outboxList,
  rowOf,
  test,
} from '../support/e2e/fixture.ts'

declare global {
  interface Window {
    /** Every animation and transition that has run since the page was opened, with its duration in ms. */
    motions: string[]
  }
}

/** Runs in the page, before anything of its own. */
function recordMotions() {
  window.motions = []
  const record = ({ type, target }: Event) => {
    for (const { effect } of (target as Element).getAnimations({ subtree: true })) {
      const { duration, delay = 0 } = effect?.getComputedTiming() ?? {}
      if (Number(duration) + delay > 1) window.motions.push(`${type} of ${duration} ms`)
    }
  }
  for (const type of ['transitionrun', 'animationstart']) addEventListener(type, record, { capture: true })
}

/** What is set to move, whether or not it does at the moment; pseudo-elements and smooth scrolling included. */
function findConfiguredMotions(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const longest = (times: string) =>
      Math.max(...times.split(',').map((time) => Number.parseFloat(time) * (time.endsWith('ms') ? 1 : 1000)))
    const found = new Set<string>()
    for (const element of document.querySelectorAll('*')) {
      for (const pseudo of ['', '::before', '::after', '::backdrop']) {
        const style = getComputedStyle(element, pseudo)
        const name = `${element.tagName.toLowerCase()}${pseudo}`
        if (longest(style.transitionDuration) > 1) found.add(`${name} has a transition`)
        if (style.animationName !== 'none' && longest(style.animationDuration) > 1)
          found.add(`${name} has an animation`)
        if (style.scrollBehavior === 'smooth') found.add(`${name} scrolls smoothly`)
      }
    }
    return [...found]
  })
}

/** Takes the page through its states; answers for each what is set to move in it, and what has moved on the way there. */
async function walkThrough(page: Page): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  const recordState = async (state: string) => {
    const moved = await page.evaluate(() => window.motions.splice(0))
    found[state] = [...(await findConfiguredMotions(page)), ...moved]
  }
  await page.addInitScript(recordMotions)
  let letThrough = () => {}
  const held = new Promise<void>((resolve) => {
    letThrough = resolve
  })
  await page.route(`**${paths.books}`, async (route) => {
    if (route.request().method() === 'GET') await held
    await route.fallback()
  })
  await page.reload()
  await expect(page.getByText('Reading the register …')).toBeAttached()
  await recordState('skeleton')
  letThrough()
  await addEmployee(page, ada)
  await page.getByRole('button', { name: `Edit ${ada.eName}` }).hover()
  await recordState('row added')
  await page.getByRole('button', { name: `Copy email of ${ada.eName}` }).click()
  await expect(page.getByText(`Email of ${ada.eName} copied.`)).toBeVisible()
  await recordState('notice')
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await recordState('dialog')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await fillForm(page, grace)
  await form(page).getByRole('button', { name: 'Generate one' }).click()
  await expect(page.getByRole('group', { name: 'Password generator' })).toBeVisible()
  await recordState('generator')
  await page.getByRole('button', { name: `Delete ${ada.eName}` }).click()
  await expect(rowOf(page, ada.eName)).toHaveCount(0)
  await expect(outboxList(page)).toContainText('Deleted')
  await recordState('row deleted')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('heading', { name: 'Create Your Account' })).toBeVisible()
  await recordState('account screen')
  return found
}

test('reduced motion: nothing moves for longer than 1 ms, in any state', async ({ recordsPage }) => {
  await recordsPage.emulateMedia({ reducedMotion: 'reduce' })
  const found = await walkThrough(recordsPage)
  expect(Object.keys(found)).toHaveLength(7)
  for (const [state, motions] of Object.entries(found)) expect(motions, state).toEqual([])
})

test('reduced motion: where it is not asked for there is some, which is how one sees it would be found', async ({
  recordsPage,
}) => {
  await recordsPage.emulateMedia({ reducedMotion: 'no-preference' })
  const found = await walkThrough(recordsPage)
  expect(found.skeleton).toContain('div::before has an animation')
  expect(found['row added']).toContainEqual(expect.stringMatching(/^transitionrun of 120 ms/))
  for (const motions of Object.values(found)) expect(motions).toContain('button has a transition')
})
