import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { serviceError } from '../support/memory-services.ts'
import { account } from '../support/people.ts'
import { openRecords } from '../support/render.tsx'
import { button, chooseInMenu, expectTexts } from './elements.ts'
import { allowConsole } from './setup.ts'

const dialog = () => page.getByRole('dialog', { name: 'Colleagues' })
const entries = () => dialog().getByRole('listitem')

test('the list of colleagues tells since when each has an account, and when it was last seen', async () => {
  const { colleague } = await openRecords()
  await colleague.identity.createAccount('new@example.com', 'a long enough one')
  await chooseInMenu('Colleagues')
  await expect.element(dialog().getByText('3 accounts can read and change every record.')).toBeVisible()
  await expectTexts(entries(), [
    /^colleague@example\.com.*Since .* 20\d\d · last seen .*20\d\d/,
    new RegExp(`^${account.email} \\(you\\)`),
    /^new@example\.com.*has not signed in yet/,
  ])
  await userEvent.keyboard('{Escape}')
  await expect.element(button('Account menu')).toHaveFocus()
})

test('a list of colleagues that cannot be read is reported, and read again', async () => {
  allowConsole(/The colleagues were not read/)
  const { client } = await openRecords()
  const stopFailing = client.failCalls(serviceError('storage-unavailable'), ['loadTeam'])
  await chooseInMenu('Colleagues')
  await expect.element(dialog().getByRole('alert')).toMatchTextContent('available right now')
  stopFailing()
  await dialog().getByRole('button', { name: 'Try again' }).click()
  await expect.element(entries()).toHaveLength(2)
})

test('colleagues are not offered if the service does not list them', async () => {
  const testPage = await openRecords()
  delete testPage.client.identity.loadTeam
  await testPage.reload()
  await button('Account menu').click()
  await expect.element(button('Change password')).toBeVisible()
  await expect.element(button('Colleagues')).not.toBeInTheDocument()
})
