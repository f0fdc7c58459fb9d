import { describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fieldNames } from '../../contract/employees.ts'
import { offlineError } from '../support/memory-services.ts'
import { ada, grace } from '../support/people.ts'
import { openRecords } from '../support/render.tsx'
import * as ui from './elements.ts'
import { allowConsole } from './setup.ts'

const entries = () => ui.dialog('Hand over').getByRole('listitem')
const linkField = () => ui.dialog('Hand over').getByLabelText('Link', { exact: true })
const sentence = (text: string) => page.getByText(text)

/** Makes a link for Ada in the page, and returns what it has behind the address of the page. */
async function openHandedOver() {
  const testPage = await openRecords([ada, grace])
  await ui.rowButton(ada, 'Hand over').click()
  await ui.button('Make a link').click()
  await expect.element(ui.button('Copy link')).toHaveFocus()
  const link = (linkField().element() as HTMLInputElement).value
  const { origin, hash } = new URL(link)
  expect(link).toBe(`${origin}/${hash}`)
  const [token = '', key = ''] = hash.replace('#credential=', '').split('.')
  return { ...testPage, hash, token, key }
}

/** Neither the page nor what it stores contains one of these texts. */
function expectNowhere(...secrets: string[]) {
  const stored = { ...localStorage, ...sessionStorage }
  const everything = JSON.stringify([
    location.href,
    history.state,
    stored,
    document.documentElement.outerHTML,
  ])
  for (const secret of secrets) expect(everything).not.toContain(secret)
}

describe('the dialog that hands over a credential', () => {
  test('makes a link and its code; the service has the sealed fields and never the key', async () => {
    const { backend, token, key } = await openHandedOver()
    await expect.element(page.getByRole('img', { name: 'The link as a QR code' })).toBeVisible()
    const stored = backend.settings.handovers.get(token)
    expect(stored?.by).toBe('keeper@example.com')
    for (const secret of [key, ...fieldNames.map((name) => ada[name])])
      expect(JSON.stringify([...backend.settings.handovers])).not.toContain(secret)
    expectNowhere(token, key)
    await ui.expectTexts(entries(), [/^Ada Lovelace.*By keeper@example.com · until 30 Nov 2026/])
  })

  test('lists the open links, those to others on request, and revokes them', async () => {
    const { backend } = await openHandedOver()
    await userEvent.keyboard('{Escape}')
    ui.focus(ui.rowOf(grace))
    await userEvent.keyboard('h')
    await expect.element(ui.dialog('Hand over')).toMatchTextContent('Grace Hopper')
    await ui.button('Show one link to another credential').click()
    await ui.expectTexts(entries(), [/^Ada Lovelace/])
    await entries().getByRole('button', { name: 'Revoke the link for Ada Lovelace' }).click()
    await expect.element(ui.dialog().getByRole('status')).toHaveTextContent('Link revoked.')
    expect(backend.settings.handovers.size).toBe(0)
  })

  test('says why there is no link, and keeps the others', async () => {
    allowConsole(/The links were not read or changed/)
    const { client } = await openHandedOver()
    const restore = client.failCalls(offlineError(), ['loadTeam'])
    await ui.button('Make a link').click()
    await expect.element(ui.dialog().getByRole('alert')).toMatchTextContent('Check your connection.')
    await ui.expectTexts(entries(), [/^Ada Lovelace/])
    restore()
  })
})

describe('the page of a link to a credential', () => {
  test('uses up nothing until Show is pressed, then shows each field with a button that copies it', async () => {
    const { backend, hash, token, key, reload } = await openHandedOver()
    const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    await reload(`/${hash}`)
    await expect.element(ui.button('Show')).toHaveFocus()
    expect([location.hash, backend.settings.handovers.size]).toEqual(['', 1])
    expectNowhere(token, key)
    await ui.button('Show').click()
    await expect.element(sentence('From keeper@example.com, for you alone.')).toBeVisible()
    expect(backend.settings.handovers.size).toBe(0)
    expectNowhere(ada.password)
    for (const [label, value] of [
      ['Employee Name', ada.eName],
      ['Email', ada.email],
      ['Password', ada.password],
    ] as const) {
      await expect.element(page.getByLabelText(label, { exact: true })).toHaveValue(value)
      await ui.button(`Copy ${label}`).click()
      await expect.element(page.getByRole('status').filter({ hasText: `${label} copied.` })).toBeVisible()
      expect(copied).toHaveBeenLastCalledWith(value)
    }
    copied.mockRestore()
    await expect.element(page.getByLabelText('Password', { exact: true })).toHaveAttribute('type', 'text')
    await expect.element(sentence(grace.eName)).not.toBeInTheDocument()
  })

  test('says what to do about a link that was used, and that someone else may have opened it', async () => {
    const { hash, reload } = await openHandedOver()
    for (const text of ['for you alone', 'It was already used, or is no longer valid.']) {
      await reload(`/${hash}`)
      await ui.button('Show').click()
      await expect.element(sentence(text)).toBeVisible()
    }
    await expect.element(sentence('someone else may have seen the password')).toBeVisible()
    await expect.element(ui.button('Show')).not.toBeInTheDocument()
  })

  test('opens no link of which a part is missing, and can be tried again without a connection', async () => {
    const { backend, client, hash, reload } = await openHandedOver()
    await reload(`/${hash.slice(0, -1)}`)
    await expect.element(sentence('Part of the link is missing.')).toBeVisible()
    await expect.element(ui.button('Show')).not.toBeInTheDocument()
    await reload(`/${hash}`)
    const restore = client.failCalls(offlineError(), ['loadTeam'])
    await ui.button('Show').click()
    await expect.element(ui.alert()).toMatchTextContent('Check your connection.')
    expect(backend.settings.handovers.size).toBe(1)
    restore()
    await ui.button('Show').click()
    await expect.element(sentence('for you alone')).toBeVisible()
  })
})
