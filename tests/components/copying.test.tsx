import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { ada, alan, grace } from '../support/people.ts'
import { openRecords } from '../support/render.tsx'
import { button, rowButton, rowOf, toast } from './elements.ts'

const clipboard = navigator.clipboard
const readClipboard = () => clipboard.readText()

/** Shadows the clipboard API, which plain HTTP does not have. */
function removeClipboardApi() {
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined })
}

beforeEach(() => {
  // The browser's own clipboard: no other file uses it.
  vi.mocked(clipboard.writeText).mockRestore()
  vi.mocked(clipboard.readText).mockRestore()
})

afterEach(() => {
  // biome-ignore lint/suspicious/noExplicitAny: deletes the property of the instance, so that the prototype's is seen
  delete (navigator as any).clipboard
})

test('copies a password or an email without showing it, and confirms it', async () => {
  await openRecords([ada, grace, alan])
  await rowButton(grace, 'Copy password').click()
  await expect.element(toast('Password of Grace Hopper copied.')).toBeVisible()
  expect(await readClipboard()).toBe(grace.password)
  await expect.element(rowOf(grace).getByRole('textbox')).toHaveAttribute('type', 'password')
  await rowButton(ada, 'Copy email').click()
  await expect.poll(readClipboard).toBe(ada.email)
})

test('copies on plain HTTP, where there is no clipboard API', async () => {
  await openRecords([grace])
  removeClipboardApi()
  await rowButton(grace, 'Copy password').click()
  await expect.element(toast('Password of Grace Hopper copied.')).toBeVisible()
  expect(await readClipboard()).toBe(grace.password)
  await expect.element(rowButton(grace, 'Copy password')).toHaveFocus()
})

test('reports that the browser does not allow copying', async () => {
  await openRecords([grace])
  removeClipboardApi()
  vi.spyOn(document, 'execCommand').mockReturnValue(false)
  await rowButton(grace, 'Copy password').click()
  await expect.element(toast('Your browser blocked copying')).toBeVisible()
})

test('clears a copied password from the clipboard after 60 s, but not an email', async () => {
  await openRecords([grace])
  vi.useFakeTimers()
  await rowButton(grace, 'Copy password').click()
  await expect.element(toast('copied')).toBeVisible()
  await vi.advanceTimersByTimeAsync(40_000)
  expect(await readClipboard()).toBe(grace.password)
  await vi.advanceTimersByTimeAsync(30_000)
  await expect.poll(readClipboard).toBe('')
  await rowButton(grace, 'Copy email').click()
  await expect.poll(readClipboard).toBe(grace.email)
  await vi.advanceTimersByTimeAsync(120_000)
  expect(await readClipboard()).toBe(grace.email)
})

test('does not clear what another program has copied since', async () => {
  await openRecords([grace])
  vi.useFakeTimers()
  await rowButton(grace, 'Copy password').click()
  await expect.element(toast('copied')).toBeVisible()
  await clipboard.writeText('of another program')
  await vi.advanceTimersByTimeAsync(62_000)
  expect(await readClipboard()).toBe('of another program')
})

test('leaves nothing of a record in the page after logout', async () => {
  await openRecords([ada])
  await rowButton(ada, 'Show password').click()
  await button('Logout').click()
  await expect.element(page.getByRole('heading', { name: 'Create Your Account' })).toBeVisible()
  const inputs = [...document.querySelectorAll('input')]
  expect(inputs.map(({ value }) => value)).toEqual(['', ''])
  for (const text of Object.values(ada)) expect(document.body.innerHTML).not.toContain(text)
})
