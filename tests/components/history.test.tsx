import { describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { minDeletion } from '../../contract/history.ts'
import type { HistoryService, PreviousPasswordService } from '../../web/backends/ports.ts'
import { serviceError } from '../support/memory-services.ts'
import { account, ada, alan, grace, makeEmployees, record, renamed } from '../support/people.ts'
import { openRecords, type TestPage } from '../support/render.tsx'
import * as ui from './elements.ts'
import { allowConsole } from './setup.ts'

const colleagueEmail = 'colleague@example.com'
const dayMs = 24 * 60 * 60_000
const theirHistory = ({ colleague }: TestPage) => colleague.documents.history as HistoryService

describe('recently deleted records', () => {
  const entries = () => ui.dialog().getByRole('listitem')

  async function openWithDeleted(count = 2) {
    const employees = [ada, grace, alan, ...makeEmployees(count)]
    const testPage = await openRecords(employees)
    await testPage.colleague.remove(...employees.slice(0, count))
    await ui.chooseInMenu('Recently deleted')
    return testPage
  }

  test('are listed for everybody, the latest first, and restored in their place', {
    tags: 'main',
  }, async () => {
    const { stored } = await openWithDeleted()
    const by = `Deleted just now by ${colleagueEmail}`
    await expect.element(ui.dialog().getByText('kept for 30 days')).toBeVisible()
    await ui.expectTexts(entries(), [new RegExp(`^Grace Hoppergrace@example.com${by}`), /^Ada Lovelace/])
    await ui.dialog().getByRole('button', { name: 'Restore Ada Lovelace' }).click()
    await expect.element(ui.dialog().getByText('Ada Lovelace restored.')).toBeVisible()
    await ui.expectTexts(entries(), [/^Grace Hopper.*Restore$/, /^Ada Lovelace.*Restored$/])
    await userEvent.keyboard('{Escape}')
    await ui.expectNames('Ada Lovelace', 'Alan Turing', 'Person 0', 'Person 1')
    expect(stored()[0]).toEqual(ada)
  })

  test('are all restored that are pressed one after the other, before the first of them is', async () => {
    const { client, stored } = await openWithDeleted()
    await expect.element(entries()).toHaveLength(2)
    const release = client.holdCalls(['history'])
    for (const name of ['Grace Hopper', 'Ada Lovelace'])
      await ui
        .dialog()
        .getByRole('button', { name: `Restore ${name}` })
        .click()
    release()
    await ui.expectTexts(entries(), [/^Grace Hopper.*Restored$/, /^Ada Lovelace.*Restored$/])
    expect(stored().slice(0, 3)).toEqual([ada, grace, alan])
  })

  test('stay in their places with focus and mouse when they are restored, so that a second press does nothing', async () => {
    const { stored } = await openWithDeleted()
    await expect.element(entries()).toHaveLength(2)
    const restore = ui.dialog().getByRole('button', { name: 'Restore' }).first()
    const places = () =>
      Array.from(document.querySelectorAll('dialog li, dialog li button'), (element) => {
        const { left, top } = element.getBoundingClientRect()
        return { left, top }
      })
    const before = places()
    await restore.click()
    await expect.element(restore).toMatchTextContent('Restored')
    await expect.element(restore).toHaveFocus()
    await expect.element(ui.dialog().getByText('Grace Hopper restored.')).toBeVisible()
    expect(places()).toEqual(before)
    await restore.click({ force: true })
    await userEvent.keyboard('{Enter}')
    expect(stored().slice(0, 2)).toEqual([grace, alan])
  })

  test('mask their passwords, and report when one is revealed', async () => {
    const { backend } = await openWithDeleted()
    const password = ui.dialog().getByLabelText('Password of Ada Lovelace', { exact: true })
    await expect.element(password).toHaveAttribute('type', 'password')
    expect(ui.dialog().element().outerHTML).not.toContain(ada.password)
    await ui.dialog().getByRole('button', { name: 'Show password of Ada Lovelace' }).click()
    await expect.element(password).toHaveAttribute('type', 'text')
    await expect.poll(() => backend.reports).toMatchObject([{ kind: 'reveal' }])
  })

  test('follow what others delete and restore meanwhile', async () => {
    const testPage = await openWithDeleted()
    await expect.element(entries()).toHaveLength(2)
    await testPage.colleague.remove(alan)
    await ui.expectTexts(entries(), [/^Grace Hopper/, /^Ada Lovelace/, /^Alan Turing/])
    const [, first] = (await theirHistory(testPage).listDeleted()).documents
    await theirHistory(testPage).restoreDeleted(first?.id ?? '')
    await ui.expectTexts(entries(), [/^Grace Hopper.*Restored$/, /^Ada Lovelace/, /^Alan Turing/])
  })

  test('that were deleted together are restored in one step', { tags: 'main' }, async () => {
    const testPage = await openWithDeleted(minDeletion)
    const text = `${minDeletion} records deleted by ${colleagueEmail}, `
    await expect.element(entries()).toHaveLength(minDeletion + 1)
    await expect.element(entries().first()).toMatchTextContent(new RegExp(`^${text}.*20\\d\\d`))
    await entries()
      .getByRole('button', { name: `Restore all: ${text}` })
      .click()
    await expect.element(ui.dialog().getByText(`${minDeletion} records restored.`)).toBeVisible()
    await expect.element(entries().getByRole('button', { name: 'Restored' })).toHaveLength(minDeletion + 1)
    await userEvent.keyboard('{Escape}')
    expect(testPage.backend.employees()).toHaveLength(minDeletion + 3)
  })

  test('can be searched if they are many', async () => {
    await openWithDeleted(8)
    await expect.element(entries()).toHaveLength(8)
    await ui.dialog().getByLabelText('Search deleted records').fill('ALAN@')
    await ui.expectTexts(entries(), [/^Alan Turing/])
    await ui.dialog().getByLabelText('Search deleted records').fill('nobody')
    await expect.element(ui.dialog().getByText('No deleted record matches.')).toBeVisible()
  })

  test('that become many get no search field, which would move what is pointed at', async () => {
    const { colleague } = await openWithDeleted(7)
    await expect.element(entries()).toHaveLength(7)
    await colleague.remove('Person 6')
    await expect.element(entries()).toHaveLength(8)
    expect(ui.dialog().getByLabelText('Search deleted records').elements()).toEqual([])
  })

  test('that can not be restored are reported', async () => {
    allowConsole(/The deleted records were not read or restored/)
    const testPage = await openWithDeleted()
    await expect.element(entries()).toHaveLength(2)
    testPage.client.failCalls(serviceError('storage-full'), ['history'])
    await ui.dialog().getByRole('button', { name: 'Restore Ada Lovelace' }).click()
    await expect.element(ui.dialog().getByRole('alert')).toMatchTextContent('The disk is full.')
    await expect.element(entries()).toHaveLength(2)
  })

  test('are not kept if the service keeps none', async () => {
    const testPage = await openRecords([ada])
    testPage.backend.settings.keptDays = 0
    await ui.chooseInMenu('Recently deleted')
    await expect.element(ui.dialog().getByText('This register keeps no deleted records.')).toBeVisible()
  })
})

describe('when a record was last changed', () => {
  test('is told in the form that edits it, and followed', { tags: 'main' }, async () => {
    const { backend, client, colleague, find } = await openRecords([ada])
    backend.settings.clockShiftMs = -200 * dayMs
    await colleague.change(ada, { password: 'old' })
    backend.settings.clockShiftMs = -3 * dayMs
    await colleague.change(ada, renamed('Ada King', record({ password: 'old' })))
    backend.settings.clockShiftMs = 0
    await ui.rowButton('Ada King', 'Edit').click()
    const earlier = new RegExp(`^Changed 3 days ago by ${colleagueEmail} · password changed in \\w+ 20`)
    await expect.element(ui.form().getByText(earlier)).toBeVisible()
    await client.documents.update(find('Ada King').id, ada)
    const now = 'Changed just now by you, password included'
    await expect.element(ui.form().getByText(now)).toBeVisible()
  })

  test('is told as not recorded if the record is older than the history', async () => {
    const { backend } = await openRecords([ada])
    backend.forget()
    await ui.rowButton(ada, 'Edit').click()
    await expect.element(ui.form().getByText('No change history')).toBeVisible()
  })

  test('opens who has done what to the record, and returns to it', { tags: 'main' }, async () => {
    const { backend, colleague, find } = await openRecords([ada])
    const stored = find(ada)
    await colleague.remove(ada)
    await colleague.documents.restore(stored)
    await colleague.change(ada, renamed('Ada King'))
    await colleague.change('Ada King', { password: 'second' })
    await ui.rowButton('Ada King', 'Edit').click()
    await ui.form().getByRole('button', { name: 'Show password' }).click()
    await expect.poll(() => backend.reports).toHaveLength(1)
    const line = ui.form().getByRole('button', { name: `Changed just now by ${colleagueEmail}` })
    await line.click()
    await ui.expectTexts(ui.dialog().getByRole('listitem'), [
      /^Password shown to you.*20\d\d/,
      new RegExp(`^Password changed by ${colleagueEmail}`),
      new RegExp(`^Changed by ${colleagueEmail}`),
      new RegExp(`^Restored by ${colleagueEmail}`),
      new RegExp(`^Deleted by ${colleagueEmail}`),
      new RegExp(`^Added by ${colleagueEmail}`),
    ])
    await ui.moveFocus('{Escape}', line)
  })

  test('says what was changed, once it is known when the password was', async () => {
    const { colleague } = await openRecords([ada])
    await colleague.change(ada, { password: 'second' })
    await colleague.change(ada, renamed('Ada King', { ...ada, password: 'second' }))
    await ui.rowButton('Ada King', 'Edit').click()
    await ui
      .form()
      .getByRole('button', { name: `Changed just now by ${colleagueEmail}` })
      .click()
    await ui.expectTexts(ui.dialog().getByRole('listitem'), [
      new RegExp(`^Name or email changed by ${colleagueEmail}`),
      new RegExp(`^Password changed by ${colleagueEmail}`),
      new RegExp(`^Added by ${colleagueEmail}`),
    ])
  })

  test('names no other fields for a change that may have been of a password that was set again later', async () => {
    const { backend, client, colleague, find } = await openRecords([ada])
    for (const [index, password] of ['second', 'third', 'second', 'fourth'].entries()) {
      backend.settings.clockShiftMs = (index - 10) * 60_000
      await colleague.change(find('Ada Lovelace'), { password })
    }
    const previous = client.documents.previousPasswords as PreviousPasswordService
    const list = previous.list.bind(previous)
    // As a server has it: "second" was replaced by "third", but is kept only as what "fourth" has replaced.
    vi.spyOn(previous, 'list').mockImplementation(async (id) => (await list(id)).filter((_, i) => i !== 2))
    await ui.rowButton('Ada Lovelace', 'Edit').click()
    await ui
      .form()
      .getByRole('button', { name: /^Changed/ })
      .click()
    const items = ui.dialog().getByRole('listitem')
    await ui.expectTexts(items, [
      /^Password changed/,
      /^Password changed/,
      /^Changed by/,
      /^Password changed/,
      /^Added/,
    ])
  })

  test.each([1280, 390, 320])(
    'is aligned and cut nowhere in the history of the record at %i px',
    async (width) => {
      const longEmail = 'carol.with.a.long.address.of.some.words@subsidiary.northwind-logistics.example'
      await page.viewport(width, 800)
      const { client, find } = await openRecords([ada])
      vi.spyOn(client.documents.history as HistoryService, 'listEvents').mockResolvedValue([
        { kind: 'change', at: '2026-11-29T14:27:58.808Z', by: longEmail },
        { kind: 'add', at: '2026-01-01T00:00:00.000Z', by: longEmail },
        { kind: 'delete', at: '2026-01-01T00:00:00.000Z' },
      ])
      await ui.rowButton(find(ada), 'Edit').click()
      await ui
        .form()
        .getByRole('button', { name: /^Changed/ })
        .click()
      const items = ui.dialog().getByRole('listitem')
      await expect.element(items.nth(2)).toBeVisible()
      const ends = new Set<number>()
      for (const item of items.elements()) {
        const box = item.getBoundingClientRect()
        const [text, time] = [...item.querySelectorAll('p')]
        for (const part of [text, time]) {
          const range = document.createRange()
          range.selectNodeContents(part as Element)
          const { right } = range.getBoundingClientRect()
          expect(right).toBeLessThanOrEqual(box.right + 1)
          expect(getComputedStyle(part as Element).textAlign).toBe('start')
        }
        const [textBox, timeBox] = [text, time].map((part) => part?.getBoundingClientRect() as DOMRect)
        expect(Math.round((textBox as DOMRect).left)).toBe(Math.round(box.left))
        if (width < 480) expect(Math.round((timeBox as DOMRect).left)).toBe(Math.round(box.left))
        else {
          ends.add(Math.round((timeBox as DOMRect).right))
          expect(Math.abs((timeBox as DOMRect).top - (textBox as DOMRect).top)).toBeLessThan(6)
        }
      }
      if (width >= 480) expect(ends.size).toBe(1)
    },
  )

  test('sorts the rows, and a change moves its row', async () => {
    const { backend, colleague } = await openRecords([ada, grace, alan])
    async function change(record: typeof ada, shiftMs: number) {
      backend.settings.clockShiftMs = shiftMs
      await colleague.change(record, { password: 'new' })
    }
    await change(ada, 500)
    await change(grace, 1_000)
    await ui.sortSelect().selectOptions('Last changed')
    await ui.expectNames('Grace Hopper', 'Ada Lovelace', 'Alan Turing')
    await ui.expectPath('/form?sort=-changed')
    await change(alan, 2_000)
    await ui.expectNames('Alan Turing', 'Grace Hopper', 'Ada Lovelace')
    await ui.sortSelect().selectOptions('Changed longest ago')
    await ui.expectNames('Ada Lovelace', 'Grace Hopper', 'Alan Turing')
    await ui.sortSelect().selectOptions('Oldest first')
    await ui.expectPath('/form')
  })
})

describe('what must change because somebody leaves', () => {
  const banner = () => page.getByRole('region', { name: 'What must we change?' })
  const leaver = { email: 'bob@example.com', password: 'a long enough one' }

  /** The leaver's account is removed, unless it is to be kept. */
  async function openWithLeaver({ isRemoved = true } = {}) {
    const testPage = await openRecords([ada, grace])
    const { uid } = await testPage.colleague.identity.createAccount(leaver.email, leaver.password)
    if (isRemoved) await testPage.backend.removeAccount(leaver.email)
    return { ...testPage, uid }
  }
  async function choose() {
    await ui.chooseInMenu('Team')
    await page.getByRole('button', { name: `More about ${leaver.email}` }).click()
    await page.getByRole('button', { name: `What must we change? ${leaver.email}` }).click()
  }

  test('narrows the table to the passwords they know, until none is left', { tags: 'main' }, async () => {
    const testPage = await openWithLeaver()
    await testPage.colleague.add(alan)
    await choose()
    const open = `${leaver.email} knew 2 passwords that are still in use.`
    await expect.element(banner()).toMatchTextContent(open)
    await ui.expectNames('Ada Lovelace', 'Grace Hopper')
    await ui.expectPath(`/form?leaver=${testPage.uid}`)
    await ui.changeEmployee(ada, { password: 'difference engine' })
    await ui.expectNames('Grace Hopper')
    await expect.element(banner()).toMatchTextContent('knew one password that is still in use.')
    await testPage.colleague.change(grace, { password: 'new' })
    const done = `All done. ${leaver.email} knows none of the current passwords.`
    await expect.element(banner()).toMatchTextContent(done)
    await ui.button('Show all records').click()
    await expect.element(banner()).not.toBeInTheDocument()
    await expect.element(ui.nameField()).toHaveFocus()
    await expect.element(ui.names()).toHaveLength(3)
  })

  test('lists a record that is restored with a password they know, and survives a reload', async () => {
    const testPage = await openWithLeaver({ isRemoved: false })
    const { id } = testPage.find(ada)
    await testPage.colleague.remove(ada)
    await testPage.reload(`/form?leaver=${testPage.uid}`)
    await expect.element(banner()).toMatchTextContent(`${leaver.email} still has access`)
    await testPage.backend.removeAccount(leaver.email)
    await ui.expectNames('Grace Hopper')
    await theirHistory(testPage).restoreDeleted(id)
    await ui.expectNames('Ada Lovelace', 'Grace Hopper')
    await testPage.reload()
    await expect.element(banner()).toMatchTextContent('knew 2 passwords')
  })

  test('is asked again if it could not be read', async () => {
    const { client } = await openWithLeaver()
    const stopFailing = client.failCalls(serviceError('busy'), ['history'])
    await choose()
    await expect.element(banner().getByRole('alert')).toMatchTextContent('busy')
    stopFailing()
    await banner().getByRole('button', { name: 'Try again' }).click()
    await expect.element(banner()).toMatchTextContent('knew 2 passwords')
  })

  test('reports an address with an account that does not exist', async () => {
    const testPage = await openRecords([ada])
    await testPage.reload('/form?leaver=unknown')
    await expect.element(banner().getByRole('alert')).toMatchTextContent('There is no such account.')
  })
})

describe('reports to the operator', () => {
  test('name revealed and copied records together, and the number of exported ones, without any value', async () => {
    const { backend, find } = await openRecords([ada, grace])
    const { reports } = backend
    // Both within the second for which reports are collected.
    for (const record of [ada, grace])
      (ui.rowButton(record, 'Show password').element() as HTMLElement).click()
    await expect.poll(() => reports).toHaveLength(1)
    expect(reports).toEqual([{ kind: 'reveal', ids: [ada, grace].map((record) => find(record).id) }])
    await ui.pressButtons('Export', 'Export 2 records')
    await expect.poll(() => reports).toHaveLength(2)
    expect(reports[1]).toEqual({ kind: 'export', count: 2 })
    expect(JSON.stringify(reports)).not.toContain(ada.password)
  })

  test('are lost without a message if the service refuses them', async () => {
    const { client } = await openRecords([ada])
    client.failCalls(serviceError('too-many-requests'), ['history'])
    const report = vi.spyOn(client.documents.history as HistoryService, 'report')
    await ui.rowButton(ada, 'Show password').click()
    await expect.poll(() => report).toHaveBeenCalledOnce()
    await expect.element(ui.alert().filter({ hasText: /./ })).not.toBeInTheDocument()
  })
})

test('a logout ends the request for news, which would fail', async () => {
  const { client, reload } = await openRecords([ada])
  const listNews = vi.spyOn(client.documents.history as HistoryService, 'listNews')
  listNews.mockReturnValue(new Promise(() => {}))
  await reload()
  await expect.poll(() => listNews).toHaveBeenCalled()
  await ui.button('Logout').click()
  await expect.poll(() => listNews.mock.lastCall?.[0]?.aborted).toBe(true)
})

test('news that could not be read is read again once the user is back', async () => {
  const { client, reload } = await openRecords([ada])
  const listNews = vi.spyOn(client.documents.history as HistoryService, 'listNews')
  listNews.mockRejectedValue(serviceError('busy'))
  await reload()
  await expect.poll(() => listNews).toHaveBeenCalled()
  const at = new Date().toISOString()
  listNews.mockResolvedValue([{ id: '1', kind: 'open-hand-over', at, record: 'none' }])
  const news = page.getByText('was opened')
  await expect
    .poll(() => {
      dispatchEvent(new Event('focus'))
      return news.elements()
    })
    .toHaveLength(1)
})

test('a sign-in from a new browser is told in one line, also without the browser’s name', async () => {
  await page.viewport(1280, 800)
  const { client, reload } = await openRecords([ada])
  const listNews = vi.spyOn(client.documents.history as HistoryService, 'listNews')
  listNews.mockResolvedValue([{ id: '1', kind: 'sign-in-new-browser', at: new Date().toISOString() }])
  await reload()
  const news = page.getByRole('status').filter({ hasText: 'Wasn’t that you?' })
  await expect.element(news).toMatchTextContent(/^Signed in from another browser, just now\./)
  await expect.element(news.getByRole('button', { name: 'Change password' })).toBeVisible()
  expect(news.element().getBoundingClientRect().height).toBeLessThan(50)
  await news.getByRole('button', { name: 'OK' }).click()
  await expect.element(news).not.toBeInTheDocument()
})

describe('previous passwords', () => {
  const items = () => ui.form().getByRole('list', { name: 'Previous passwords' }).getByRole('listitem')
  const inItem = (name: RegExp) => items().first().getByRole('button', { name })
  const toggle = () => ui.form().getByRole('button', { name: /^\d previous passwords?$/ })

  async function open(count: number) {
    await toggle().click()
    await expect.element(items()).toHaveLength(count)
  }

  async function openEdited(...passwords: string[]) {
    const testPage = await openRecords([ada])
    for (const password of passwords) await testPage.colleague.change(ada, { password })
    await ui.rowButton(ada, 'Edit').click()
    const top = () => ui.passwordField().element().getBoundingClientRect().top
    await expect.element(toggle()).toBeVisible()
    const topBefore = top()
    await open(passwords.length)
    expect(top()).toBe(topBefore)
    return { ...testPage, id: testPage.find(ada).id }
  }

  test('are masked with ten dots and in no markup until they are shown, which is reported, as is a copy', {
    tags: 'main',
  }, async () => {
    const { backend, id } = await openEdited('sesame', 'third')
    const secret = items().getByCss('input').first()
    await expect.element(secret).toHaveValue('•'.repeat(10))
    await inItem(/^Show previous password, until/).click()
    await expect.element(secret).toHaveValue('sesame')
    expect(ui.form().element().outerHTML).not.toContain('sesame')
    await inItem(/^Show/).click()
    await expect.element(secret).toHaveValue('•'.repeat(10))
    const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    await inItem(/^Copy/).click()
    await expect.element(ui.toast('Previous password copied.')).toBeVisible()
    expect(copied).toHaveBeenCalledWith('sesame')
    await expect.poll(() => backend.reports).toHaveLength(2)
    expect(backend.reports).toEqual(['reveal', 'copy'].map((kind) => ({ kind, ids: [id] })))
    await userEvent.keyboard('{Escape}')
    await expect.element(items()).not.toBeInTheDocument()
    await expect.element(ui.updateButton()).toBeVisible()
  })

  test('that arrive late change the field only, and nothing in the form of another record', async () => {
    const { client, colleague, stored } = await openEdited('second')
    await colleague.add(grace)
    const release = client.holdCalls(['previousPasswords'])
    await inItem(/^Use again/).click()
    await ui.nameField().fill('Ada Byron')
    release()
    await expect.element(ui.passwordField()).toHaveValue(ada.password)
    await expect.element(ui.nameField()).toHaveValue('Ada Byron')
    await ui.updateButton().click()
    await expect.poll(() => stored()[0]).toEqual(renamed('Ada Byron'))
    await ui.press(ui.rowButton('Ada Byron', 'Edit'), '{Enter}')
    await open(2)

    const reading = vi.spyOn(client.documents.previousPasswords as PreviousPasswordService, 'read')
    const releaseAgain = client.holdCalls(['previousPasswords'])
    await inItem(/^Use again/).click()
    await ui.rowButton(grace, 'Edit').click()
    await ui.emailField().fill('grace@navy.example')
    releaseAgain()
    await reading.mock.results.at(-1)?.value
    await expect.element(ui.passwordField()).toHaveValue(grace.password)
    await expect.element(ui.emailField()).toHaveValue('grace@navy.example')
  })

  test('that are wiped meanwhile change nothing', async () => {
    const { backend } = await openEdited('second')
    backend.forget()
    await inItem(/^Use again/).click()
    await expect.element(ui.toast('This previous password is no longer kept.')).toBeVisible()
    await expect.element(toggle()).not.toBeInTheDocument()
    await expect.element(ui.passwordField()).toHaveValue('second')
  })
})

test('nothing of the history is shown if the service has none', async () => {
  const testPage = await openRecords([ada, grace])
  await testPage.colleague.change(ada, { password: 'second' })
  delete testPage.client.documents.history
  delete testPage.client.documents.previousPasswords
  await testPage.reload('/form?leaver=x&sort=changed')
  await expect.element(ui.names()).toHaveLength(2)
  await expect.element(page.getByRole('option', { name: 'Last changed' })).not.toBeInTheDocument()
  await ui.rowButton(ada, 'Edit').click()
  await expect.element(ui.form()).not.toMatchTextContent(/hanged|revious/)
  await ui.button('Account menu').click()
  await expect.element(ui.button('Recently deleted')).not.toBeInTheDocument()
  await ui.button('Team').click()
  await expect.element(page.getByText(account.email, { exact: false }).last()).toBeVisible()
  await expect.element(page.getByRole('button', { name: /What must/ })).not.toBeInTheDocument()
  expect(ui.table().element().querySelector('tr[title]')).toBeNull()
})
