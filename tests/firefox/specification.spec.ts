import { test } from '../browser/fixture.ts'

// Playwright types into Firefox by setting an input's value from within the page, past what React watches, so that React
// hears of no change. Here the browser itself inserts the text, as it does for a person.
test.beforeEach(async ({ context }) => {
  await context.addInitScript(() => {
    Object.defineProperty(window, '__pw_bidiInsertText', {
      value: (text: string) => {
        document.execCommand('insertText', false, text)
      },
    })
  })
})

await import('../browser/specification.spec.ts')
