import { buildPage, startStaticHost } from './built-page.ts'
import { startEmulators } from './emulators.ts'
import { publishHostedApp } from './hosted-backend.ts'

/** Starts the emulators, builds the page and starts the static host once for all browser tests. */
// biome-ignore lint/style/noDefaultExport: Playwright requires a default export
export default async function setUp() {
  const { stop, ...emulators } = await startEmulators()
  const page = await buildPage(emulators)
  const host = await startStaticHost(page.folder, emulators)
  publishHostedApp({ url: host.url, emulators })
  return async () => {
    await Promise.all([host.stop(), stop()])
    page.remove()
  }
}
