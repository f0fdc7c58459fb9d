import type { BrowserContext } from '@playwright/test'
import { test } from '../support/e2e/fixture.ts'

// Playwright types into Firefox by setting an input's value from within the page, past what React watches, so that React
// hears of no change. Here the browser itself inserts the text, as it does for a person.
const insertText = (context: BrowserContext) =>
  context.addInitScript(() => {
    Object.defineProperty(window, '__pw_bidiInsertText', {
      // A context may be given this more than once.
      configurable: true,
      value: (text: string) => {
        document.execCommand('insertText', false, text)
      },
    })
  })

test.beforeEach(async ({ browser, context }) => {
  await insertText(context)
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const another = await newContext(options)
    await insertText(another)
    return another
  }
})

await import('../e2e/specification.spec.ts')
