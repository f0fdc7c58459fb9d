// What one browser does, every other shows, without a reload; and an edit in progress is never overwritten.
import type { Page } from '@playwright/test'
import { layLine } from '../support/e2e/backend.ts'
import {
  ada,
  add,
  alan,
  colleagueOf,
  expect,
  fill,
  form,
  grace,
  names,
  row,
  strip,
  test,
  typed,
} from '../support/e2e/fixture.ts'

const edit = (page: Page, eName: string) => row(page, eName).getByRole('button', { name: 'Edit' }).click()
const update = (page: Page) => form(page).getByRole('button', { name: 'Update' }).click()

test('live: adds, updates and deletes show in another browser, in both directions', async ({
  register,
  baseURL,
}) => {
  const theirs = await colleagueOf(register, baseURL)
  await add(register, ada)
  await expect(names(theirs)).toHaveText([ada.eName])
  await add(theirs, grace)
  await expect(names(register)).toHaveText([ada.eName, grace.eName])
  await edit(theirs, ada.eName)
  await fill(theirs, alan)
  await update(theirs)
  await expect(names(register)).toHaveText([alan.eName, grace.eName])
  await expect(row(register, alan.eName)).toContainText(alan.email)
  await row(register, grace.eName).getByRole('button', { name: 'Delete' }).click()
  await expect(names(theirs)).toHaveText([alan.eName])
  await theirs.context().close()
})

test('live: what happened while the line was lost is there when it is back, with no reload', async ({
  register,
  baseURL,
  expectedErrors,
}) => {
  expectedErrors.push(/Failed to load resource/, /net::ERR/)
  const line = await layLine(baseURL ?? '')
  const theirs = await colleagueOf(register, line.url)
  await add(register, ada)
  await expect(names(theirs)).toHaveText([ada.eName])
  line.cut()
  await expect(theirs.getByText('No connection to the register.')).toBeVisible()
  await add(register, grace)
  await row(register, ada.eName).getByRole('button', { name: 'Delete' }).click()
  await expect(names(register)).toHaveText([grace.eName])
  await expect(names(theirs)).toHaveText([ada.eName])
  line.mend()
  await expect(names(theirs)).toHaveText([grace.eName])
  await expect(theirs.getByText('No connection to the register.')).toHaveCount(0)
  await theirs.context().close()
  await line.remove()
})

test('live: an edit in progress is not overwritten, and the form says that the row was changed', async ({
  register,
  baseURL,
}) => {
  await add(register, ada)
  const theirs = await colleagueOf(register, baseURL)
  await edit(register, ada.eName)
  await form(register).getByLabel('Employee Name', { exact: true }).fill('Ada half typ')
  await edit(theirs, ada.eName)
  await fill(theirs, grace)
  await update(theirs)
  await expect(names(register)).toHaveText([grace.eName])
  const notice = form(register).getByText('Someone else has changed this record.')
  await expect(notice).toBeVisible()
  expect(await typed(register)).toEqual({ ...ada, eName: 'Ada half typ' })
  await form(register).getByRole('button', { name: 'Use theirs' }).click()
  expect(await typed(register)).toEqual(grace)
  await expect(notice).toHaveCount(0)
  await theirs.context().close()
})

test('live: an edit of a row that someone deletes stays, and can put the record back', async ({
  register,
  baseURL,
  expectedErrors,
}) => {
  expectedErrors.push(/404/)
  await add(register, ada)
  await add(register, grace)
  const theirs = await colleagueOf(register, baseURL)
  await edit(register, ada.eName)
  await fill(register, alan)
  await row(theirs, ada.eName).getByRole('button', { name: 'Delete' }).click()
  await expect(form(register).getByText('This record has been deleted meanwhile.')).toBeVisible()
  expect(await typed(register)).toEqual(alan)
  await update(register)
  const waiting = strip(register)
    .getByRole('listitem')
    .filter({ hasText: `Not saved: ${alan.eName}` })
  await expect(waiting).toContainText('Someone has deleted this record.')
  await waiting.getByRole('button', { name: 'Put back' }).click()
  await expect(names(register)).toHaveText([alan.eName, grace.eName])
  await expect(names(theirs)).toHaveText([alan.eName, grace.eName])
  await theirs.context().close()
})

test('live: the server is killed and started again; the page comes back by itself with every record', async ({
  register,
  server,
  expectedErrors,
}) => {
  expectedErrors.push(/Failed to load resource/, /net::ERR/)
  await add(register, ada)
  await server.kill()
  await expect(register.getByText('No connection to the register.')).toBeVisible()
  await fill(register, grace)
  await form(register).getByRole('button', { name: 'Submit' }).click()
  await expect(strip(register).getByText('Not saved: Grace Hopper')).toBeVisible()
  await server.restart()
  await expect(names(register)).toHaveText([ada.eName, grace.eName])
  await expect(strip(register).getByRole('listitem')).toHaveCount(0)
  await expect(register.getByText('No connection to the register.')).toHaveCount(0)
  await register.reload()
  await expect(names(register)).toHaveText([ada.eName, grace.eName])
})
