import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { offlineError } from '../support/memory-services.ts'
import { ada, grace } from '../support/people.ts'
import { openRecords } from '../support/render.tsx'
import * as ui from './elements.ts'
import { allowConsole } from './setup.ts'

test('the hand-over lists the open links to any credential, revokes them, and says what has failed', async () => {
  allowConsole(/The links were not read or changed/)
  const { client, backend } = await openRecords([ada, grace])
  await ui.rowButton(ada, 'Hand over').click()
  await ui.button('Make a link').click()
  await expect.element(ui.button('Copy link')).toHaveFocus()
  const { handovers } = backend.settings
  expect(JSON.stringify([...handovers])).not.toContain(ada.password)
  await userEvent.keyboard('{Escape}')
  ui.focus(ui.rowOf(grace))
  await userEvent.keyboard('h')
  await expect.element(ui.dialog('Hand over')).toMatchTextContent('Grace Hopper')
  const entries = ui.dialog().getByRole('listitem')
  await ui.expectTexts(entries, [/^Ada Lovelace.*By keeper@example.com · expires in /])
  const restore = client.failCalls(offlineError(), ['loadTeam'])
  await ui.button('Make a link').click()
  await expect.element(ui.dialog().getByRole('alert')).toMatchTextContent('Check your connection.')
  restore()
  await entries.getByRole('button', { name: 'Revoke the link for Ada Lovelace' }).click()
  await expect.element(ui.dialog().getByRole('status')).toHaveTextContent('Link revoked.')
  expect(handovers.size).toBe(0)
})
