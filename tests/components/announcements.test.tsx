// What a screen reader announces: the texts that appear in live regions.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { serviceError } from '../support/memory-services.ts'
import { ada, alan, grace } from '../support/people.ts'
import { openRecords } from '../support/render.tsx'
import {
  button,
  expectNames,
  outboxEntries,
  passwordField,
  rowButton,
  rowOf,
  searchBox,
  submitEmployee,
  undoBar,
  undoButton,
} from './elements.ts'

let announced: string[] = []
let observer: MutationObserver

/** What was announced since the last call, after everything has been. */
function takeAnnounced(): string[] {
  return announced.splice(0)
}

/** Ignores announcements that only a slow machine makes, unless they are among these texts. */
async function expectAnnounced(...texts: string[]): Promise<void> {
  const withoutDelays = () =>
    announced.filter((text) => texts.includes(text) || !(strength.test(text) || sending.test(text)))
  await expect.poll(withoutDelays).toEqual(texts)
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(withoutDelays()).toEqual(texts)
  takeAnnounced()
}

/** The page announces the strength of a typed password when the typing pauses before the submit. */
const strength = /^(Very weak|Weak|Fair|Strong)/
/** The page announces an operation that takes more than a second. */
const sending = /^(Saving|Deleting|Restoring) .*…$/

beforeEach(() => {
  announced = []
  observer = new MutationObserver((changes) => {
    const regions = changes
      .filter(({ type, addedNodes }) => type === 'characterData' || addedNodes.length > 0)
      .map(({ target }) =>
        (target instanceof Element ? target : target.parentElement)?.closest('[role=status], [role=alert]'),
      )
    for (const region of new Set(regions)) {
      const text = region?.textContent?.trim()
      if (text) announced.push(text)
    }
  })
  observer.observe(document.body, { childList: true, characterData: true, subtree: true })
})

afterEach(() => observer.disconnect())

async function openThree() {
  const testPage = await openRecords([ada, grace, alan])
  await expectNames(ada, grace, alan)
  takeAnnounced()
  return testPage
}

test('announces each delete and each undo once', async () => {
  await openThree()
  await rowButton(ada, 'Delete').click()
  await expectAnnounced(`Deleted ${ada.eName}`)
  await rowButton(grace, 'Delete').click()
  await expectAnnounced(`Deleted ${grace.eName}`)
  await undoButton().click()
  await expectAnnounced(`${grace.eName} restored.`)
  await expect.element(undoBar()).toMatchTextContent(`Deleted ${ada.eName}`)
  await undoButton().click()
  await expectAnnounced(`${ada.eName} restored.`)
})

test('announces each save and each copy once', async () => {
  const { client } = await openThree()
  const release = client.holdCalls(['add'])
  await submitEmployee({ ...ada, eName: 'New', email: 'new@example.com' })
  await expectAnnounced('Saving New…')
  release()
  await expectAnnounced('New saved.')
  await rowButton(ada, 'Delete').click()
  await expectAnnounced(`Deleted ${ada.eName}`)
  await submitEmployee({ ...ada, eName: 'Newer', email: 'newer@example.com' })
  await expectAnnounced('Newer saved.')
  await rowButton(grace, 'Copy email').click()
  await expectAnnounced(`Email of ${grace.eName} copied.`)
})

test('announces each change that is not saved once, also when the box collapses and expands', async () => {
  const { client } = await openThree()
  client.failCalls(serviceError('storage-full'), ['add'])
  // On a slow machine, the strength of the password and the sending are announced, too.
  const getFailures = () => announced.filter((text) => text.startsWith('Not saved'))
  const expected: unknown[] = []
  for (const eName of ['First', 'Second', 'Third']) {
    await submitEmployee({ ...ada, eName, email: `${eName}@example.com` })
    expected.push(expect.stringMatching(`Not saved: ${eName}.`))
    await expect.poll(getFailures).toEqual(expected)
  }
  await button('Show unsaved changes').click()
  await expect.element(outboxEntries()).toHaveLength(3)
  await outboxEntries().last().getByRole('button', { name: 'Discard' }).click()
  await expect.element(outboxEntries()).toHaveLength(2)
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(getFailures()).toEqual(expected)
})

test('announces that the connection is lost and back', async () => {
  const { client } = await openThree()
  await client.cutNetwork()
  await expectAnnounced(
    'No connection to the register. Changes are kept on this device and saved when it’s back.',
  )
  await client.restoreNetwork()
  await expectAnnounced('The connection is back.')
})

test('announces the strength of a typed password once, when the typing pauses', async () => {
  await openThree()
  await rowButton(ada, 'Edit').click()
  await expect.element(page.getByText(strength).first()).toBeVisible()
  await new Promise((resolve) => setTimeout(resolve, 900))
  expect(takeAnnounced()).toEqual([])
  await passwordField().fill('')
  await userEvent.type(passwordField(), '123')
  expect(takeAnnounced()).toEqual([])
  await expect.poll(() => announced.length).toBe(1)
  expect(takeAnnounced()[0]).toMatch(/^Very weak/)
  await searchBox().fill('a')
  await expect.element(rowOf(ada)).toBeVisible()
  await expect.poll(() => takeAnnounced().join()).toMatch(/^\d of 3 found$/)
})
