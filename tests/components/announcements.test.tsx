// What a screen reader announces: the texts that appear in live regions.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { EmployeeFields } from '../../contract/employees.ts'
import { LoadProgress } from '../../web/records/register/search/list-count.tsx'
import { messageDurationMs } from '../../web/ui/message.tsx'
import { serviceError } from '../support/memory-services.ts'
import { ada, alan, grace, named, nameOf } from '../support/people.ts'
import { openRecords } from '../support/render.tsx'
import { watchAnnouncements } from './announcements.ts'
import * as ui from './elements.ts'

describe('announces', () => {
  let announced: string[] = []
  let expected: (string | RegExp)[] = []
  let stop = () => {}

  /**
   * Waits for these texts, and that nothing else was announced since the start of the test: what is announced twice or too late
   * is found by the next call. Ignores announcements that only a slow machine makes, unless they are expected.
   */
  async function expectAnnounced(...texts: (string | RegExp)[]): Promise<void> {
    expected.push(...texts)
    const isExpected = (text: string) =>
      expected.some((one) => (typeof one === 'string' ? one === text : one.test(text)))
    const withoutDelays = () =>
      announced.filter((text) => isExpected(text) || !(strength.test(text) || sending.test(text)))
    const patterns = expected.map((one) => (typeof one === 'string' ? one : expect.stringMatching(one)))
    await expect.poll(withoutDelays).toEqual(patterns)
  }

  /** The page announces the strength of a typed password when the typing pauses before the submit. */
  const strength = /^(Very weak|Weak|Fair|Strong)/
  /** The page announces an operation that takes more than a second. */
  const sending = /^(Saving|Deleting|Restoring|Undoing) .*…$/

  beforeEach(() => {
    announced = []
    expected = []
    stop = watchAnnouncements((text) => announced.push(text))
  })

  afterEach(() => stop())

  async function openThree() {
    const testPage = await openRecords([ada, grace, alan])
    announced = []
    return testPage
  }

  /** Deletes the records with the keyboard, one after the other. */
  async function deleteAll(...employees: EmployeeFields[]) {
    for (const employee of employees) {
      await ui.press(ui.rowButton(employee, 'Delete'), '{Enter}')
      await expectAnnounced(`Deleted ${nameOf(employee)}`)
    }
  }

  /** Makes an announcement that comes after all others. */
  async function announceLast() {
    await ui.searchBox().fill('a')
    await expectAnnounced(/^\d of \d found$/)
  }

  test('announces each delete and each undo once', async () => {
    await openThree()
    await deleteAll(ada, grace)
    for (const employee of [grace, ada]) {
      await ui.undoButton().click()
      await expectAnnounced(`${nameOf(employee)} restored.`)
    }
    await expect.element(ui.rowOf(ada)).toHaveFocus()
    await userEvent.keyboard('{Delete}')
    await expectAnnounced('Deleted Ada Lovelace')
    ;(document.activeElement as HTMLElement).blur()
    await userEvent.keyboard('{Control>}z{/Control}')
    await expectAnnounced('Ada Lovelace restored.')
    await expect.element(ui.rowOf(ada)).toHaveFocus()
    await announceLast()
  })

  test('announces once that several records are restored together, and that an import is undone', async () => {
    await openThree()
    await deleteAll(ada, grace, alan)
    await ui.undoButton('Recent changes').click()
    await ui.undoButton('Undo all (3)').click()
    await expectAnnounced('3 records restored.')
    await ui.paste('New\tnew@example.com\tx')
    await ui.pressButtons('Import 1 record', 'Done')
    await ui.expectNames(ada, grace, alan, 'New')
    announced = []
    expected = []
    await ui.undoButton('Undo import').click()
    await expectAnnounced('Import undone.')
    await ui.expectNames(ada, grace, alan)
    await announceLast()
  })

  test('announces each save and each copy once', { tags: 'main' }, async () => {
    const { client } = await openThree()
    const release = client.holdCalls(['add'])
    await ui.submitEmployee(named('New'))
    await expectAnnounced('Saving New…')
    release()
    await expectAnnounced('New saved.')
    await ui.rowButton(grace, 'Copy email').click()
    await expectAnnounced('Email of Grace Hopper copied.')
  })

  test('announces each change that is not saved once, also when the box collapses and expands, and its later save', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { client } = await openThree()
    const repair = client.failCalls(serviceError('storage-full'), ['add'])
    for (const name of ['First', 'Second', 'Third']) {
      await ui.submitEmployee(named(name))
      await expectAnnounced(new RegExp(`Not saved: ${name}.`))
    }
    await expect.element(ui.outboxList()).toMatchTextContent('3 changes are not saved')
    await expect.element(ui.outboxEntries()).toHaveLength(0)
    await ui.button('Show unsaved changes').click()
    await expect.element(ui.outboxEntries()).toHaveLength(3)
    await ui.outboxEntries().last().getByRole('button', { name: 'Discard' }).click()
    await expect.element(ui.outboxEntries()).toHaveLength(2)
    repair()
    await ui.outboxEntries().first().getByRole('button', { name: 'Retry' }).click()
    await expectAnnounced('First saved.')
    const saved = page.getByText('First saved.')
    // React sets the timer after the message is shown.
    await expect.poll(() => vi.advanceTimersByTime(messageDurationMs) && saved.length).toBe(0)
    vi.useRealTimers()
    await announceLast()
  })

  test('announces the number of found records and the sort order once, also if records change afterwards', async () => {
    const { colleague } = await openThree()
    await ui.searchBox().fill('a')
    await expectAnnounced('3 of 3 found')
    await colleague.add(named('Another'))
    await ui.expectNames(ada, grace, alan, 'Another')
    await ui.searchBox().fill('')
    await expectAnnounced('4 records')
    const header = ui.table().getByRole('columnheader', { name: 'Employee Name' }).getByRole('button')
    await header.click()
    await expectAnnounced('Sorted: Name A–Z')
    await header.click()
    await expectAnnounced('Sorted: Name Z–A')
    await ui.sortSelect().selectOptions('Newest first')
    await announceLast()
  })

  test('announces each password that is changed because somebody left once, and that none is left', async () => {
    const leaver = 'leaver@example.com'
    const { backend, colleague, reload } = await openThree()
    const { uid } = await colleague.identity.createAccount(leaver, 'a long enough one')
    await backend.removeAccount(leaver)
    await reload(`/form?leaver=${uid}`)
    await expectAnnounced(/ knew 3 passwords that are still in use\.$/)
    for (const record of [ada, grace]) {
      await ui.press(ui.rowButton(record, 'Edit'), '{Enter}')
      await ui.passwordField().fill(`${record.password} 2`)
      await ui.updateButton().click()
      await expectAnnounced(`${nameOf(record)} saved.`)
    }
    await colleague.change(alan, { password: 'changed by a colleague' })
    await expectAnnounced(/^All done\. /)
    await ui.button('Show all records').click()
    await expectAnnounced('3 records')
  })

  test('announces what Enter would run in the command menu when the typing pauses', async () => {
    await openThree()
    await userEvent.keyboard('{Control>}k{/Control}')
    const box = page.getByRole('combobox', { name: 'Commands and records' })
    await box.fill('hop')
    await expectAnnounced('Grace Hopper, the only match')
    await box.fill('e')
    await expectAnnounced(/^Search, first of \d+$/)
    await box.fill('nobody')
    await expectAnnounced('Nothing found.')
  })

  test('reads what an import would do and has done with the button that gets the focus, and nothing twice', async () => {
    await openThree()
    await ui.paste('Name\tEmail\tPassword\nNew\tnew@example.com\tx')
    const submit = ui.dialog().getByRole('button', { name: 'Import 1 record' })
    await expect.element(submit).toHaveFocus()
    await expect.element(submit).toHaveAccessibleDescription(/New: 1, Changed: 0/)
    await userEvent.keyboard('{Enter}')
    const done = ui.dialog().getByRole('button', { name: 'Done' })
    await expect.element(done).toHaveFocus()
    await expect.element(done).toHaveAccessibleDescription('1 record imported')
    await userEvent.keyboard('{Enter}')
    await expect.element(ui.undoButton('Undo import')).toBeVisible()
    expect(announced.filter((text) => /New: 1|imported/.test(text))).toEqual([])
  })

  test('announces that the connection is lost and back', async () => {
    const { client } = await openThree()
    await client.cutNetwork()
    await expectAnnounced(/^The server isn’t available\. Changes stay on this device and are saved when/)
    await client.restoreNetwork()
    await expectAnnounced('You’re back online.')
    await announceLast()
  })

  test('announces the strength of a typed password once, when the typing pauses', async () => {
    await openThree()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await ui.rowButton(ada, 'Edit').click()
    await expect.element(page.getByText(strength).first()).toBeVisible()
    vi.advanceTimersByTime(2_000)
    await ui.passwordField().fill('')
    await userEvent.type(ui.passwordField(), '123')
    expect(announced).toEqual([])
    // React may set the timer after the text is typed.
    await expect.poll(() => vi.advanceTimersByTime(700) && announced.length).toBe(1)
    await expectAnnounced(/^Very weak/)
    vi.useRealTimers()
    await announceLast()
  })
})

test('the progress of a long list is shown at once, announced every ten seconds, and its end is announced', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const announced = page.getByRole('status')
  const show = (count: number, isLoaded = false) => (
    <LoadProgress
      list={{ employees: Array(count), total: 100_000, status: isLoaded ? 'loaded' : 'loading' }}
    />
  )
  const view = await render(show(100))
  await expect.element(page.getByText('100 of 100,000 loaded')).toBeVisible()
  await expect.element(announced).toBeEmptyDOMElement()
  await view.rerender(show(12_400))
  vi.advanceTimersByTime(10_000)
  await expect.element(announced).toMatchTextContent('12,400 of 100,000 loaded')
  await view.rerender(show(13_000))
  await expect.element(announced).toMatchTextContent('12,400 of 100,000 loaded')
  await view.rerender(show(100_000, true))
  await expect.element(announced).toMatchTextContent('All records loaded.')
  // A list that arrives quickly, of a service that does not tell its length.
  await view.unmount()
  const quick = await render(
    <LoadProgress list={{ employees: Array(100), total: undefined, status: 'loading' }} />,
  )
  await expect.element(page.getByText('100 loaded')).toBeVisible()
  await quick.rerender(<LoadProgress list={{ employees: Array(3000), total: undefined, status: 'loaded' }} />)
  await expect.element(page.getByText('loaded')).not.toBeInTheDocument()
})
