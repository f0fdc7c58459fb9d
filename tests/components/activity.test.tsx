import { afterEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { HistoryService, TeamService } from '../../web/backends/ports.ts'
import { ada, alan, grace, makeEmployees, nameOf, renamed } from '../support/people.ts'
import { openRecords } from '../support/render.tsx'
import * as ui from './elements.ts'

const colleagueEmail = 'colleague@example.com'
const items = () => ui.dialog().getByRole('listitem')
const chip = (name: string) => ui.dialog().getByRole('button', { name, exact: true })

async function openActivity() {
  await ui.chooseInMenu('Activity')
  await expect.element(items().first()).toBeVisible()
}

describe('activity', () => {
  afterEach(() => vi.useRealTimers())

  test('says who did what, the latest first, and its names of records lead to their rows', {
    tags: 'main',
  }, async () => {
    const { client, colleague, find } = await openRecords([ada, grace])
    await client.documents.update(find(ada).id, renamed('Ada King'))
    await colleague.change(grace, { email: 'g@example.com' })
    await openActivity()
    await expect.element(items().first()).toMatchTextContent(/^Changed Grace Hopper/)
    await expect.element(items().first()).toMatchTextContent(`by ${colleagueEmail}`)
    await expect.element(items().nth(1)).toMatchTextContent(/^Changed Ada King.*by you/)
    await chip('Records').click()
    await expect.element(chip('Records')).toHaveAttribute('aria-pressed', 'true')
    await expect.element(items().nth(2)).toMatchTextContent(/^Imported 2 records/)
    await expect.poll(() => location.hash).toBe('#activity=records')
    await ui.dialog().getByRole('button', { name: 'Grace Hopper' }).click()
    await expect.element(ui.dialog()).not.toBeInTheDocument()
    expect(location.hash).toBe('')
    await expect.element(ui.focusedRow()).toMatchTextContent('Grace Hopper')
  })

  test('keeps the comma after a name on its line, and breaks a name that is one long word', async () => {
    await page.viewport(390, 844)
    const long = renamed('Wolfeschlegelsteinhausenbergerdorff'.repeat(3))
    const { colleague } = await openRecords([ada, long, grace])
    await colleague.change(grace, { email: 'g@example.com' })
    await colleague.change(long, { email: 'long@example.com' })
    await colleague.change(ada, { email: 'a@example.com' })
    await openActivity()
    await expect.element(items().first()).toMatchTextContent(/^Changed .+, .+ and .+/)
    const names = items().first().getByRole('button')
    const readTexts = () => names.elements().map(({ textContent }) => textContent)
    await expect.poll(readTexts).toHaveLength(3)
    expect(readTexts().filter((text) => text.endsWith(','))).toHaveLength(1)
    const name = ui
      .dialog()
      .getByRole('button', { name: nameOf(long), exact: true })
      .element()
    const line = items().first().getByRole('paragraph').first().element()
    expect(name.getBoundingClientRect().width).toBeLessThanOrEqual(line.getBoundingClientRect().width)
  })

  test('follows what others do, counts what they do within minutes, and says what is deleted', async () => {
    const people = makeEmployees(5)
    const { colleague } = await openRecords([ada, ...people])
    await openActivity()
    await colleague.remove(...people)
    await expect.element(items().first()).toMatchTextContent(/^Deleted 5 records/)
    await expect.element(items().nth(1)).toMatchTextContent(/^Imported 6 records/)
    await colleague.remove(ada)
    await expect.element(items().first()).toMatchTextContent(/^Deleted 6 records/)
  })

  test('is narrowed by kind, person and a search, and opened by its address', async () => {
    const { client, colleague, reload } = await openRecords([ada, alan])
    await colleague.change(ada, { email: 'a@example.com' })
    await colleague.change(alan, { email: 'b@example.com' })
    await client.documents.history?.report({ kind: 'export', count: 2 })
    await reload('/form#activity=files')
    await expect.element(chip('Files')).toHaveAttribute('aria-pressed', 'true')
    await ui.expectTexts(items(), [/^Exported 2 records.*as the page reported/, /^Imported 2 records/])
    await chip('Files').click()
    await ui.dialog().getByLabelText('Person').selectOptions(colleagueEmail)
    await expect.element(items().first()).toMatchTextContent(/^Changed Alan Turing and Ada Lovelace/)
    expect(location.href).not.toContain(colleagueEmail)
    await expect.poll(() => location.hash).toMatch(/^#activity&by=./)
    await reload(`/form${location.hash}`)
    const person = () => ui.dialog().getByLabelText('Person').element() as HTMLSelectElement
    await expect.poll(() => person().selectedOptions[0]?.text).toBe(colleagueEmail)
    await expect.element(items().first()).toMatchTextContent(/^Changed Alan Turing and Ada Lovelace/)
    await reload('/form#activity&by=somebody-else')
    await expect.poll(() => person().selectedOptions[0]?.text).toBe('Everyone')
    await expect.element(items().first()).toMatchTextContent(/^Exported 2 records/)
    await ui.dialog().getByLabelText('Person').selectOptions(colleagueEmail)
    await ui.dialog().getByLabelText('Search by name or email').fill('turing')
    await ui.expectTexts(items(), [/^Changed Alan Turing/, /^Imported 2 records, among them Alan Turing/])
    await ui.dialog().getByLabelText('Search by name or email').fill('nobody')
    await expect.element(ui.dialog().getByText('Nothing found.')).toBeVisible()
    // The first empties the search.
    await userEvent.keyboard('{Escape}')
    await userEvent.keyboard('{Escape}')
    await expect.element(ui.dialog()).not.toBeInTheDocument()
    expect(location.hash).toBe('')
  })

  test('shows what another address names while it is open', async () => {
    const { client } = await openRecords([ada])
    await client.documents.history?.report({ kind: 'export', count: 1 })
    await openActivity()
    await expect.poll(() => location.hash).toBe('#activity')
    location.hash = '#activity=files'
    await ui.expectTexts(items(), [/^Exported/, /^Imported/])
    history.back()
    await expect.element(chip('Files')).toHaveAttribute('aria-pressed', 'false')
    await expect.poll(() => location.hash).toBe('#activity')
  })

  test('tells each export by itself, and how often the same was done within minutes', async () => {
    // Not around midnight.
    vi.useFakeTimers({ toFake: ['Date'], now: new Date().setHours(12, 0, 0, 0) })
    const { client } = await openRecords([ada])
    const { documents, identity } = client
    for (let i = 0; i < 2; i++) {
      await documents.history?.report({ kind: 'export', count: 1 })
      await identity.team?.createInvitation()
    }
    for (let i = 0; i < 3; i++) await identity.team?.createInvitation()
    await openActivity()
    await expect.element(items().first()).toMatchTextContent(/^Made an invitation.*4 times · by you/)
    await chip('Files').click()
    await ui.expectTexts(items(), [/^Exported 1 record/, /^Exported 1 record/, /^Imported 1 record/])
  })

  test('says of its days what they are, also when one ends', async () => {
    const noon = new Date().setHours(12, 0, 0, 0)
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: noon })
    await openRecords([ada])
    await openActivity()
    const day = (name: string) => ui.dialog().getByRole('heading', { name })
    await expect.element(day('Today')).toBeVisible()
    vi.setSystemTime(new Date(noon).setHours(24, 0, 1, 0))
    vi.advanceTimersByTime(10_000)
    await expect.element(day('Yesterday')).toBeVisible()
    await expect.element(day('Today')).not.toBeInTheDocument()
  })

  test('says that the email of who did something looks like that of another account', async () => {
    const { client, colleague, reload } = await openRecords([ada])
    await colleague.change(ada, { email: 'a@example.com' })
    const [id, createdAt] = ['1', new Date().toISOString()]
    vi.spyOn(client.identity.team as TeamService, 'listColleagues').mockResolvedValue([
      { id, createdAt, email: colleagueEmail, looksLike: 'co11eague@example.com' },
    ])
    await reload('/form')
    await openActivity()
    const expected = `by ${colleagueEmail} · Looks like co11eague@example.com`
    await expect.element(items().first()).toMatchTextContent(expected)
  })

  test('tells a removed colleague apart from another with the same email', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { client, reload } = await openRecords([ada])
    const createdAt = new Date().toISOString()
    vi.spyOn(client.identity.team as TeamService, 'listColleagues').mockResolvedValue([
      { id: '1', createdAt, email: colleagueEmail },
      { id: '2', createdAt, email: colleagueEmail, removedAt: createdAt },
    ])
    await reload('/form')
    await openActivity()
    await expect
      .element(ui.dialog().getByRole('option', { name: colleagueEmail, exact: true }))
      .toBeInTheDocument()
    const removed = ui.dialog().getByRole('option', { name: `${colleagueEmail} · Removed just now` })
    await expect.element(removed).toBeInTheDocument()
  })

  test('is read on where a filter finds nothing in the latest part', async () => {
    const { client, colleague } = await openRecords([ada])
    await colleague.change(ada, { email: 'a@example.com' })
    await openActivity()
    const service = client.documents.history as HistoryService
    const { listActivity } = service
    service.listActivity = ({ before = '1003', ...query }) =>
      query.by === undefined || query.after !== undefined || Number(before) <= 1_000
        ? listActivity(query)
        : Promise.resolve({ entries: [], next: String(Number(before) - 1) })
    const status = ui.dialog().getByRole('status').first().element()
    const said: (string | null)[] = []
    const observer = new MutationObserver(() => said.push(status.textContent))
    observer.observe(status, { childList: true, subtree: true, characterData: true })
    await ui.dialog().getByLabelText('Person').selectOptions(colleagueEmail)
    await ui.expectTexts(items(), [
      /^Changed/,
      /^Imported 1 record/,
      /^Signed in for the first/,
      /^Signed up/,
    ])
    observer.disconnect()
    expect(said).not.toContain('Nothing found.')
  })

  test('finds a batch by the name of a record in it', async () => {
    const { client } = await openRecords([ada, ...makeEmployees(4)])
    await client.documents.history?.report({ kind: 'export-passwords', count: 5 })
    await openActivity()
    await expect.element(items().first()).toMatchTextContent(/^Exported 5 records, with passwords/)
    await ui.dialog().getByLabelText('Search by name or email').fill('lovelace')
    await ui.expectTexts(items(), [/^Imported 5 records, among them Ada Lovelace/])
    await ui.dialog().getByRole('button', { name: 'Ada Lovelace' }).click()
    await expect.element(ui.focusedRow()).toMatchTextContent('Ada Lovelace')
  })

  /** Adds as many entries that no search here finds. */
  function addOthers(state: { activity: object[] }, count: number, record = 'deleted') {
    for (let i = 0; i < count; i++)
      state.activity.push({
        ...{ id: String(1_000 + i), at: new Date(Date.now() - 1_000).toISOString(), record },
        ...{ kind: i % 2 ? 'delete' : 'change', by: colleagueEmail },
      })
  }

  test('is searched as far back as it goes', async () => {
    const { backend, client, find } = await openRecords([ada, grace])
    await client.documents.update(find(ada).id, renamed('Ada King'))
    addOthers(backend.state, 5_000)
    await openActivity()
    const search = ui.dialog().getByLabelText('Search by name or email')
    await search.fill('king')
    await ui.expectTexts(items(), [/^Changed Ada King/, /^Imported 2 records, among them Ada King/])
    await search.fill('king example')
    await ui.expectTexts(items(), [/^Changed Ada King/, /^Imported 2 records, among them Ada King/])
    await search.fill('nobody')
    await expect.element(ui.dialog().getByText('Nothing found.')).toBeVisible()
  })

  test('says how far it was searched for a name that many have, and goes on', async () => {
    const { backend } = await openRecords(makeEmployees(40))
    addOthers(backend.state, 3_000)
    await openActivity()
    await ui.dialog().getByLabelText('Search by name or email').fill('person')
    await expect.element(ui.dialog().getByText('Nothing found in the latest 2,000 entries.')).toBeVisible()
    const more = ui.dialog().getByRole('button', { name: 'Search older' })
    await more.click()
    await expect.element(more).not.toBeInTheDocument()
  })

  test('a search reads no more than fills the page where it shows many entries as one', async () => {
    const { backend, find } = await openRecords([ada])
    addOthers(backend.state, 1, find(ada).id)
    for (let i = 0; i < 4_000; i++)
      backend.state.activity.push({
        ...(backend.state.activity.at(-1) as object),
        id: String(2_000 + i),
      } as never)
    await openActivity()
    await ui.dialog().getByLabelText('Search by name or email').fill('lovelace')
    await expect.element(ui.dialog().getByRole('button', { name: 'Search older' })).toBeVisible()
    await ui.expectTexts(items(), [/^Changed Ada Lovelace/])
  })

  test('tells once who made a hand-over that it was opened', async () => {
    const { backend, client, find, reload } = await openRecords([ada])
    const { id, ...seen } = find(ada)
    const made = await client.identity.team?.createHandover({ record: id, seen, sealed: 'x', hours: 1 })
    const [link] = (await client.identity.team?.listHandovers()) ?? []
    expect(Date.parse(link?.expiresAt ?? '') - Date.now()).toBeLessThanOrEqual(60 * 60_000)
    const guest = await backend.connect()
    await guest.identity.team?.takeHandover(made?.token ?? '', 'key')
    await reload()
    const told = page.getByText('The link to the credential of Ada Lovelace was opened')
    await expect.element(told).toBeVisible()
    await ui.button('OK').click()
    await expect.element(told).not.toBeInTheDocument()
    await reload()
    await ui.expectNames(ada)
    await expect.element(told).not.toBeInTheDocument()
  })

  test('is read in pages as one scrolls, of which the page holds some', async () => {
    const { backend, find } = await openRecords([ada, grace])
    const ids = [ada, grace].map((record) => find(record).id)
    // No two in a row are of the same person and kind.
    for (let i = 0; i < 1_500; i++)
      backend.state.activity.push({
        ...{
          id: String(100 + i),
          at: new Date(Date.now() - 1_000).toISOString(),
          record: ids[i % 2] as string,
        },
        ...{ kind: i % 2 ? 'delete' : 'change', by: colleagueEmail },
      })
    await openActivity()
    const older = ui.dialog().getByRole('button', { name: 'Show older' })
    const newer = ui.dialog().getByRole('button', { name: 'Show newer' })
    const read = () => {
      older.query()?.scrollIntoView()
      return newer.query()
    }
    await expect.poll(read).not.toBeNull()
    expect(document.querySelectorAll('*').length).toBeLessThanOrEqual(2_000)
    await expect.element(items().first()).not.toMatchTextContent('Signed in')
  })
})
