// Browser features that a page can't control. The commands run in Node with the Playwright API.

import type { BrowserCommand, BrowserCommandContext } from 'vitest/node'
import { readTexts as readPageTexts } from '../../scripts/catalogs.ts'

type MediaOptions = NonNullable<Parameters<BrowserCommandContext['page']['emulateMedia']>[0]>

/** Emulates a colour scheme, reduced motion, forced colours or print; null ends an emulation. */
export const emulateMedia: BrowserCommand<[MediaOptions]> = ({ page }, options) => page.emulateMedia(options)

/** Sets the text size of the browser's own settings, in px; 16 is the default. */
export const setFontSize: BrowserCommand<[number]> = async ({ page, context }, standard) => {
  const session = await context.newCDPSession(page)
  await session.send('Page.setFontSizes', { fontSizes: { standard } })
  await session.detach()
}

/** Reads the English texts of the page, in the order of the compiled catalogs. */
export const readTexts: BrowserCommand<[]> = () => readPageTexts()

declare module 'vitest/browser' {
  interface BrowserCommands {
    emulateMedia(options: MediaOptions): Promise<void>
    readTexts(): Promise<string[]>
    setFontSize(standard: number): Promise<void>
  }
}
