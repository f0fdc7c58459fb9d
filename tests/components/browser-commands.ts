// What a test needs of the browser beyond the page, run in Node with the Playwright API.
import type { BrowserCommand, BrowserCommandContext } from 'vitest/node'

type MediaOptions = NonNullable<Parameters<BrowserCommandContext['page']['emulateMedia']>[0]>
type CdpSession = Awaited<ReturnType<BrowserCommandContext['context']['newCDPSession']>>

/** The browser drops an emulation when its session is closed, so there is one session per page. */
const sessions = new WeakMap<BrowserCommandContext['page'], Promise<CdpSession>>()

function openSession({ page, context }: BrowserCommandContext): Promise<CdpSession> {
  const session = sessions.get(page) ?? context.newCDPSession(page)
  sessions.set(page, session)
  return session
}

/** Emulates a colour scheme, reduced motion, forced colours or print; null ends an emulation. */
export const emulateMedia: BrowserCommand<[MediaOptions]> = ({ page }, options) => page.emulateMedia(options)

/** Makes the screen one without a pointer that hovers, or with one. */
export const emulateTouchScreen: BrowserCommand<[boolean]> = async (context, isTouch) => {
  const session = await openSession(context)
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: isTouch })
  const size = { width: 0, height: 0, deviceScaleFactor: 0 }
  if (isTouch) await session.send('Emulation.setDeviceMetricsOverride', { ...size, mobile: true })
  else await session.send('Emulation.clearDeviceMetricsOverride')
}

/** Sets the text size of the browser's own settings, in px; 16 is the default. */
export const setFontSize: BrowserCommand<[number]> = async (context, standard) => {
  const session = await openSession(context)
  await session.send('Page.setFontSizes', { fontSizes: { standard } })
}

declare module 'vitest/browser' {
  interface BrowserCommands {
    emulateMedia(options: MediaOptions): Promise<void>
    emulateTouchScreen(isTouch: boolean): Promise<void>
    setFontSize(standard: number): Promise<void>
  }
}
