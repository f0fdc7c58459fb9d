import { expect, test, vi } from 'vitest'
import { ada, alan, grace } from '../support/people.ts'
import { openRecords, type TestPage } from '../support/render.tsx'
import * as ui from './elements.ts'

const title = 'Employee Records · Staffbook'
const expectTitle = (expected: string) => expect.poll(() => document.title).toBe(expected)

/** Hides or shows the tab, as far as the page can tell. */
function setHidden(isHidden: boolean) {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(isHidden)
  document.dispatchEvent(new Event('visibilitychange'))
}

/**
 * Adds Grace, and returns how to have her saved. The part that keeps the title is loaded once the page is idle:
 * it sees what is unsaved at any time, and what colleagues change from then on.
 */
async function addUnsavedGrace({ client }: TestPage) {
  const save = client.holdCalls()
  await ui.submitEmployee(grace)
  await expectTitle(`(1 unsaved) ${title}`)
  return save
}

test('the title counts unsaved changes until they are saved', { tags: 'main' }, async () => {
  const { client } = await openRecords([ada])
  await expectTitle(title)
  await client.cutNetwork()
  await ui.submitEmployee(grace)
  await ui.submitEmployee(alan)
  await expectTitle(`(2 unsaved) ${title}`)
  await client.restoreNetwork()
  await expectTitle(title)
  await ui.button('Logout').click()
  await ui.expectPath('/')
  await expectTitle('Create Your Account · Staffbook')
})

test('the title marks a colleague’s change while the tab is hidden, until it is visible', async () => {
  const page = await openRecords([ada])
  const save = await addUnsavedGrace(page)
  save()
  await expectTitle(title)
  await page.colleague.add(alan)
  await ui.expectNames(ada, grace, alan)
  await expectTitle(title)
  setHidden(true)
  await page.colleague.change(ada, { email: 'ada@example.org' })
  await expectTitle(`● ${title}`)
  setHidden(false)
  await expectTitle(title)
})

test('the title marks neither an own change that is saved while the tab is hidden, nor a reload of the same list', async () => {
  const page = await openRecords([ada])
  const { client, reload } = page
  const save = await addUnsavedGrace(page)
  setHidden(true)
  save()
  await expect.element(ui.rowOf(grace)).toBeInTheDocument()
  await expectTitle(title)
  await client.cutNetwork()
  await client.restoreNetwork()
  await reload()
  await expect.element(ui.rowOf(grace)).toBeInTheDocument()
  await expectTitle(title)
  setHidden(false)
  await ui.addEmployee(alan)
  await expectTitle(title)
})
