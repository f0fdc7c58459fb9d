import { afterEach, expect, test, vi } from 'vitest'
import { commands, page, userEvent } from 'vitest/browser'
import { ada, grace } from '../support/people.ts'
import { openRecords } from '../support/render.tsx'
import * as ui from './elements.ts'

/** Every animation and transition that has run, with its duration in ms. */
const motions: string[] = []

function recordMotion({ type, target }: Event) {
  for (const { effect } of (target as Element).getAnimations({ subtree: true })) {
    const { duration, delay = 0 } = effect?.getComputedTiming() ?? {}
    if (Number(duration) + delay > 1) motions.push(`${type} of ${duration} ms`)
  }
}

const eventTypes = ['transitionrun', 'animationstart']

afterEach(() => {
  for (const type of eventTypes) removeEventListener(type, recordMotion, { capture: true })
})

/** The styles that animate, also if no animation is running; includes pseudo-elements and smooth scrolling. */
function findConfiguredMotions(): string[] {
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
}

/** Brings the page into each of its states, and returns for each the motions that are styled and those that have run. */
async function findMotions(reducedMotion: 'reduce' | 'no-preference'): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  const recordState = (state: string) => {
    found[state] = [...findConfiguredMotions(), ...motions.splice(0)]
  }
  await commands.emulateMedia({ reducedMotion })
  const animate = Element.prototype.animate
  vi.spyOn(Element.prototype, 'animate').mockImplementation(function (this: Element, ...how) {
    motions.push(`${this.tagName} slides`)
    return animate.apply(this, how)
  })
  motions.length = 0
  for (const type of eventTypes) addEventListener(type, recordMotion, { capture: true })
  const testPage = await openRecords()
  const release = testPage.client.holdCalls(['list'])
  await testPage.reload()
  await expect.element(page.getByText('Loading…')).toBeInTheDocument()
  recordState('skeleton')
  release()
  await ui.addEmployee(ada)
  await ui.rowButton(ada, 'Edit').hover()
  recordState('row added')
  await ui.rowButton(ada, 'Copy email').click()
  await expect.element(page.getByText('Email of Ada Lovelace copied.')).toBeVisible()
  recordState('message')
  await ui.chooseInMenu('Keyboard shortcuts')
  await expect.element(page.getByRole('dialog')).toBeVisible()
  recordState('dialog')
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await ui.fillForm(grace)
  await ui.button('Generate password').click()
  await expect.element(page.getByRole('group', { name: 'Password generator' })).toBeVisible()
  recordState('generator')
  await ui.rowButton(ada, 'Delete').click()
  await expect.element(ui.rowOf(ada)).not.toBeInTheDocument()
  await expect.element(ui.undoBar()).toMatchTextContent('Deleted')
  recordState('row deleted')
  await ui.undoButton().click()
  await expect.element(ui.rowOf(ada)).toBeVisible()
  await ui.addEmployee(grace)
  await ui.table().getByRole('columnheader', { name: 'Email' }).getByRole('button').dblClick()
  await ui.expectNames(grace, ada)
  recordState('rows sorted')
  await ui.fillForm(grace)
  await ui.button('Logout').click()
  await ui.button('Log out and discard').click()
  await ui.expectPath('/')
  await expect.element(ui.button('Sign Up')).toBeVisible()
  recordState('account screen')
  return found
}

test('with reduced motion, nothing moves for longer than 1 ms in any state', async () => {
  const found = await findMotions('reduce')
  expect(Object.keys(found)).toHaveLength(8)
  for (const [state, motions] of Object.entries(found)) expect(motions, state).toEqual([])
})

test('without reduced motion, something moves in every state, so the test above can fail', async () => {
  const found = await findMotions('no-preference')
  expect(found.skeleton).toContain('div::before has an animation')
  expect(found['rows sorted']).toContain('TR slides')
  expect(found['row added']).toContainEqual(expect.stringMatching(/^transitionrun of 120 ms/))
  for (const [state, motions] of Object.entries(found))
    expect(motions, state).toContain('button has a transition')
})
