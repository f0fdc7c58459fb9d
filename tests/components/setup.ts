import './prepare-react.ts'
import { promisifyRequest } from 'idb-keyval'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { commands, page } from 'vitest/browser'
import { cleanup } from 'vitest-browser-react'
import '../../web/inline/first-paint.js'
import { loadCatalog } from '../../web/language/translate.ts'
import '../../web/ui/theme.css'
import { addTranslated, takeTextFaults, watchTexts } from './watch-texts.ts'

// All texts of the page are formatted by this function.
vi.mock('icu-minify/format', async (importOriginal) => {
  const { default: format } = await importOriginal<typeof import('icu-minify/format')>()
  return { default: (...args: Parameters<typeof format>) => addTranslated(format(...args)) }
})

// On a busy machine, a message would end before a test has looked at it, also with fake timers, which go on during a click.
vi.mock('../../web/ui/message.tsx', async (importOriginal) => ({
  ...(await importOriginal<typeof import('../../web/ui/message.tsx')>()),
  messageDurationMs: 600_000,
}))

// The page then preloads nothing while it is idle, which would take processor time in every file.
Object.defineProperty(navigator, 'connection', { configurable: true, value: { saveData: true } })
// No test looks at pixels. The browser computes the layout of an invisible frame, but does not paint it.
if (frameElement) (frameElement as HTMLElement).style.opacity = '0'

const consoleMessages: string[] = []
let allowedMessages: RegExp[] = []

/** Console errors and warnings that the current test provokes; any other fails it. */
export function allowConsole(...patterns: RegExp[]): void {
  allowedMessages.push(...patterns)
}

beforeEach(async () => {
  await loadCatalog()
  allowedMessages = []
  for (const method of ['error', 'warn'] as const) {
    vi.spyOn(console, method).mockImplementation((...words) => {
      consoleMessages.push(words.map(String).join(' '))
    })
  }
  // The browser has one clipboard for all files that run at a time.
  let clipboardText = ''
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => {
    clipboardText = text
  })
  vi.spyOn(navigator.clipboard, 'readText').mockImplementation(async () => clipboardText)
  watchTexts()
  await page.viewport(1280, 720)
  // Motion takes processor time. The tests about motion turn it on.
  const unset = { colorScheme: null, forcedColors: null, contrast: null, media: null }
  await commands.emulateMedia({ ...unset, reducedMotion: 'reduce' })
})

afterEach(async () => {
  const textFaults = takeTextFaults()
  await cleanup()
  vi.useRealTimers()
  localStorage.clear()
  // Other files run in the same tab: the token of a link would change their account screens.
  sessionStorage.clear()
  await clearDatabases()
  const unexpected = consoleMessages.splice(0).filter((text) => !allowedMessages.some((p) => p.test(text)))
  expect(unexpected, 'on the console').toEqual([])
  expect(textFaults, 'texts for a translator').toEqual([])
})

/** The number of rows in all databases of this origin. */
export async function countStoredRows(): Promise<number> {
  let count = 0
  await forEachObjectStore(async (store) => {
    count += await promisifyRequest(store.count())
  })
  return count
}

/** Deleting the databases would wait until the page closes its connection. */
const clearDatabases = () => forEachObjectStore((store) => promisifyRequest(store.clear()))

async function forEachObjectStore(work: (store: IDBObjectStore) => Promise<void>) {
  for (const { name } of await indexedDB.databases()) {
    const database = await promisifyRequest(indexedDB.open(name ?? ''))
    for (const store of database.objectStoreNames)
      await work(database.transaction(store, 'readwrite').objectStore(store))
    database.close()
  }
}
