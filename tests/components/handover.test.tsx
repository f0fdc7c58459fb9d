import { expect, test, vi } from 'vitest'
import { commands, page, userEvent } from 'vitest/browser'
import { sealCredential } from '../../web/auth/team/credential.ts'
import type { TeamService } from '../../web/backends/ports.ts'
import { offlineError } from '../support/memory-services.ts'
import { ada, alan, grace } from '../support/people.ts'
import { openRecords } from '../support/render.tsx'
import * as ui from './elements.ts'
import { allowConsole } from './setup.ts'

test('the hand-over lists the open links, also those to other records, revokes them, and says what has failed', {
  tags: 'main',
}, async () => {
  allowConsole(/The links were not read or changed/)
  const { client, backend } = await openRecords([ada, grace])
  await ui.pressButtons('Hand over Ada Lovelace', 'Make a link')
  await expect.element(ui.button('Copy link')).toHaveFocus()
  const { handovers } = backend.links
  expect(JSON.stringify([...handovers])).not.toContain(ada.password)
  await userEvent.keyboard('{Escape}')
  await ui.press(ui.rowOf(grace), 'h')
  await expect.element(ui.dialog('Hand over Grace Hopper')).toBeVisible()
  const entries = ui.dialog().getByRole('listitem')
  const others = ui.dialog().getByCss('summary')
  await expect.element(others).toHaveTextContent('1 open link to another record')
  await expect.element(entries).toHaveLength(0)
  await ui.press(others, '{Enter}')
  await ui.expectTexts(entries, [/^Ada Lovelace.*By keeper@example.com · expires in /])
  const restore = client.failCalls(offlineError(), ['team'])
  await ui.button('Make a link').click()
  await expect.element(ui.dialog().getByRole('alert')).toMatchTextContent('Check your connection.')
  restore()
  await entries.getByRole('button', { name: 'Revoke the link for Ada Lovelace' }).click()
  await expect.element(entries.getByRole('button', { name: 'Revoked the link for Ada' })).toBeVisible()
  await expect.element(ui.dialog().getByRole('status')).toHaveTextContent('Link revoked.')
  expect(handovers.size).toBe(0)
})

test('the hand-over, and what opens from the buttons of the table, are printed alone', async () => {
  await openRecords([ada])
  for (const [button, title] of [
    ['Hand over Ada Lovelace', 'Hand over Ada Lovelace'],
    ['Import', 'Import'],
    ['Export', 'Export'],
  ] as const) {
    await ui.button(button).click()
    const heading = ui.dialog().getByRole('heading', { name: title, exact: false })
    await expect.element(heading).toBeVisible()
    await commands.emulateMedia({ media: 'print' })
    await expect.element(heading, { message: title }).toBeVisible()
    expect(document.querySelector('table')?.checkVisibility()).toBe(false)
    await commands.emulateMedia({ media: 'screen' })
    await userEvent.keyboard('{Escape}')
  }
})

test('a new link takes the place of the choices, is the first of the open ones to its record, and makes room for another', async () => {
  await openRecords([ada])
  await ui.pressButtons('Hand over Ada Lovelace', 'Make a link')
  await expect.element(ui.button('Copy link')).toHaveFocus()
  await expect.element(ui.dialog().getByRole('radio')).not.toBeInTheDocument()
  const entries = ui.dialog().getByRole('listitem')
  await ui.expectTexts(entries, [/^By keeper@example.com · expires in 7 days/])
  await ui.press(ui.button('Make another link'), '{Enter}')
  await expect.element(ui.button('Copy link')).not.toBeInTheDocument()
  await ui.press(ui.dialog().getByRole('radio', { name: 'a day' }), ' ')
  await ui.press(ui.button('Make a link'), '{Enter}')
  await expect.element(ui.button('Copy link')).toHaveFocus()
  await ui.expectTexts(entries, [/expires (?!in 7 days)/, /expires in 7 days/])
})

test('the focus is on the form after the hand-over of a record that was deleted meanwhile', async () => {
  const { colleague } = await openRecords([ada, grace])
  await ui.press(ui.rowButton(grace, 'Hand over'), '{Enter}')
  await expect.element(ui.dialog('Hand over Grace Hopper')).toBeVisible()
  await colleague.remove(grace)
  await ui.expectNames(ada)
  await userEvent.keyboard('{Escape}')
  await expect.element(ui.nameField()).toHaveFocus()
})

test('an import is handed over by a sheet of links, printed or as a list, which the team can revoke as a whole', {
  tags: 'main',
}, async () => {
  const { backend } = await openRecords([ada])
  const rows = [grace, { ...alan, eName: '=1+1' }].map((fields) => Object.values(fields).join(','))
  await ui.paste(['Name,Email,Password', ...rows].join('\n'))
  await ui.pressButtons('Import 2 records', 'Hand over all', 'Make 2 links')
  const dialog = ui.dialog('Hand over 2 records')
  await expect.element(dialog.getByRole('status')).toHaveTextContent('2 links made.')
  await expect.element(dialog).toMatchTextContent('After you close this, nobody can see them again.')
  const { handovers } = backend.links
  expect([...handovers.values()].map(({ sheet }) => sheet)).toEqual(Array(2).fill(expect.any(String)))
  const [token = ''] = handovers.keys()
  expect(document.documentElement.outerHTML).not.toContain(token)

  const createUrl = vi.spyOn(URL, 'createObjectURL').mockClear()
  await ui.button('Download as CSV').click()
  const [[file]] = createUrl.mock.calls as [[Blob]]
  const lines = (await file.text()).split('\r\n')
  expect(lines[0]).toMatch(/"Employee Name","Email","Link"$/)
  expect(lines[1]).toMatch(/^"Grace Hopper","grace@example.com","http.*#credential=[\w-]{43}\.[\w-]{43}"$/)
  expect(lines[2]).toMatch(/^"'=1\+1","alan@example.com"/)

  let printed = ''
  let blocks: Element[] = []
  vi.spyOn(window, 'print').mockImplementation(() => {
    dispatchEvent(new Event('beforeprint'))
    printed = document.body.lastElementChild?.textContent ?? ''
    blocks = [...(document.body.lastElementChild?.children ?? [])]
  })
  await ui.button('Print').click()
  await expect.poll(() => printed).toMatch(/^Grace Hoppergrace@example.com.*#credential=.*=1\+1/)
  // No name is printed over another link.
  expect(blocks.map((block) => getComputedStyle(block).overflowY)).toEqual(['clip', 'clip'])
  // Nor does a long one take pages.
  const names = blocks.map((block) => block.querySelector('p') as Element)
  expect(names.map((name) => getComputedStyle(name).webkitLineClamp)).toEqual(['4', '4'])
  // The table is not printed, and stays as it is.
  expect(document.querySelector('tbody button')).not.toBeNull()
  // Some browsers do not tell when they have printed.
  printed = ''
  await ui.button('Print').click()
  await expect.poll(() => printed).toMatch(/^Grace Hopper/)
  dispatchEvent(new Event('afterprint'))
  await expect.poll(() => document.documentElement.outerHTML).not.toContain(token)
  await userEvent.keyboard('{Escape}')
  await ui.chooseInMenu('Team')
  const sheets = ui.dialog('Team').getByRole('list', { name: 'Sheets of links to credentials' })
  await ui.expectTexts(sheets.getByRole('listitem'), [
    /^Sheet of 2 links, 0 opened.*By keeper@example.com, just now/,
  ])
  await sheets.getByRole('button', { name: 'Revoke all links of the sheet' }).click()
  await expect.element(sheets.getByText('Links revoked', { exact: true })).toBeVisible()
  expect(handovers.size).toBe(0)
})

test.each([
  ['an hour', 1],
  ['a day', 24],
  ['7 days', 168],
])('one link or a sheet of them works for %s, as chosen', async (label, hours) => {
  const { backend } = await openRecords([ada, grace])
  const { handovers } = backend.links
  const choose = () => ui.dialog().getByRole('radio', { name: label }).click()
  /** The hours after which the links end. */
  const ends = () =>
    [...handovers.values()].map(({ createdAt, expiresAt }) =>
      Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / 3_600_000),
    )
  await ui.press(ui.rowButton(ada, 'Hand over'), '{Enter}')
  await expect.element(ui.dialog().getByRole('radio', { name: '7 days' })).toBeChecked()
  await choose()
  await ui.button('Make a link').click()
  await expect.poll(ends).toEqual([hours])
  await userEvent.keyboard('{Escape}')
  await expect.element(ui.dialog()).not.toBeInTheDocument()
  await ui.press(ui.rowOf(ada), '{Control>}a{/Control}')
  const bar = page.getByRole('group', { name: 'Selected records' })
  await expect.element(bar).toBeVisible()
  await ui.press(bar.getByRole('button', { name: 'Hand over', exact: true }), '{Enter}')
  await expect.element(ui.dialog('Hand over 2 records').getByRole('radio', { name: '7 days' })).toBeChecked()
  await choose()
  await ui.button('Make 2 links').click()
  await expect.element(ui.dialog().getByRole('status')).toHaveTextContent('2 links made.')
  expect(ends()).toEqual([hours, hours, hours])
})

test('without HTTPS, links are neither made nor opened, and the page says why', async () => {
  const { reload } = await openRecords([ada])
  vi.spyOn(Crypto.prototype, 'subtle', 'get').mockReturnValue(undefined as unknown as SubtleCrypto)
  await ui.rowButton(ada, 'Hand over').click()
  await expect.element(ui.dialog().getByText('works over HTTPS only. Ask your administrator')).toBeVisible()
  await expect.element(ui.button('Make a link')).not.toBeInTheDocument()
  await reload(`/#credential=${'t'.repeat(43)}.${'k'.repeat(43)}`)
  await expect.element(page.getByText('can’t be opened safely over plain HTTP')).toBeVisible()
  await expect.element(ui.button('Show')).not.toBeInTheDocument()
})

test('an opened hand-over says if the email of its maker looks like another one', async () => {
  const { client, find, reload } = await openRecords([ada])
  const { handover, toLink } = await sealCredential(find(ada))
  const taken = { sealed: handover.sealed, by: 'ada@examp1e.com', isLookAlike: true } as const
  vi.spyOn(client.identity.team as TeamService, 'takeHandover').mockResolvedValue(taken)
  await reload(`/${new URL(toLink('t'.repeat(43))).hash}`)
  await ui.button('Show').click()
  await expect.element(page.getByText('From ada@examp1e.com')).toBeVisible()
  await expect.element(page.getByText('Another email looks the same as this one.')).toBeVisible()
})

test('an opened hand-over is printed as it is read, without what only acts', async () => {
  const { client, find, reload } = await openRecords([ada])
  const { handover, toLink } = await sealCredential(find(ada))
  const taken = { sealed: handover.sealed, by: 'grace@example.com' } as const
  vi.spyOn(client.identity.team as TeamService, 'takeHandover').mockResolvedValue(taken)
  await reload(`/${new URL(toLink('t'.repeat(43))).hash}`)
  await ui.button('Show').click()
  await expect.element(page.getByText('From grace@example.com')).toBeVisible()
  const controls = () => [...document.querySelectorAll('button, select')]
  expect(controls().some((control) => control.checkVisibility())).toBe(true)
  await commands.emulateMedia({ media: 'print' })
  expect(controls().filter((control) => control.checkVisibility())).toEqual([])
  for (const label of ['Employee Name', 'Email', 'Password'])
    await expect.element(page.getByLabelText(label, { exact: true })).toBeVisible()
  await commands.emulateMedia({ media: 'screen' })
})

test.each([1280, 390, 320])('an opened hand-over cuts nothing that it shows at %i px', async (width) => {
  await page.viewport(width, 900)
  const long = {
    ...ada,
    eName: 'Augusta Ada King-Noel, Countess of Lovelace and of Ockham Park in Surrey',
    email: 'augusta.ada.king-noel.of.lovelace@analytical-engines.northwind-logistics.example',
    password: 'violet-moss-41-tangent-0OIl1-  ribbon-falcon-meadow-99',
  }
  const { client, find, reload } = await openRecords([long])
  const { handover, toLink } = await sealCredential(find(long))
  const taken = { sealed: handover.sealed, by: 'ada@example.com' } as const
  vi.spyOn(client.identity.team as TeamService, 'takeHandover').mockResolvedValue(taken)
  await reload(`/${new URL(toLink('t'.repeat(43))).hash}`)
  await ui.button('Show').click()
  const buttons = page.getByCss('main').getByRole('button', { name: /^Copy / })
  await expect.element(buttons.nth(2)).toBeVisible()
  const entries = [
    ['Employee Name', long.eName],
    ['Email', long.email],
    ['Password', long.password],
  ] as const
  for (const [i, [label, value]] of entries.entries()) {
    const field = page.getByLabelText(label, { exact: true })
    await expect.element(field).toHaveValue(value)
    const element = field.element()
    expect([element.scrollWidth - element.clientWidth, element.scrollHeight - element.clientHeight]).toEqual([
      0, 0,
    ])
    const textEnd =
      element.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(element).paddingRight)
    expect(textEnd).toBeLessThanOrEqual(buttons.nth(i).element().getBoundingClientRect().left)
  }
  expect(getComputedStyle(ui.accountPassword().element()).fontFamily).toContain('monospace')
  expect(document.documentElement.outerHTML).not.toContain(long.password)
  await ui.button('Show password').click()
  await expect.element(ui.accountPassword()).toHaveValue('•'.repeat(10))
  await expect.element(ui.button('Show password')).toHaveFocus()
})
