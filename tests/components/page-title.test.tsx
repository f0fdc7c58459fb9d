import { expect, test, vi } from 'vitest'
import type { EmployeeFields } from '../../contract/employees.ts'
import { newIdempotencyKey } from '../../web/backends/idempotency-key.ts'
import { ada, alan, grace } from '../support/people.ts'
import { openRecords } from '../support/render.tsx'
import * as ui from './elements.ts'

const title = 'Employee Records · Staffbook'
const expectTitle = (expected: string) => expect.poll(() => document.title).toBe(expected)

/** Hides or shows the tab, as far as the page can tell. */
function setHidden(isHidden: boolean) {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(isHidden)
  document.dispatchEvent(new Event('visibilitychange'))
}

async function openWithAda() {
  const testPage = await openRecords([ada])
  const { documents } = testPage.colleague
  return {
    ...testPage,
    /** Adds a record as a colleague, and waits for its row. */
    async addAsColleague(employee: EmployeeFields) {
      await documents.add(employee, newIdempotencyKey())
      await expect.element(ui.rowOf(employee)).toBeInTheDocument()
    },
  }
}

test('the title counts unsaved changes until they are saved', async () => {
  const { client } = await openWithAda()
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
  const { addAsColleague } = await openWithAda()
  await addAsColleague(grace)
  await expectTitle(title)
  setHidden(true)
  await addAsColleague(alan)
  await expectTitle(`● ${title}`)
  setHidden(false)
  await expectTitle(title)
})

test('the title marks neither an own change that is saved while the tab is hidden, nor a reload of the same list', async () => {
  const { client, reload } = await openWithAda()
  const release = client.holdCalls()
  await ui.submitEmployee(grace)
  await expectTitle(`(1 unsaved) ${title}`)
  setHidden(true)
  release()
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
