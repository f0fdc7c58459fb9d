import { buildPage } from './built-page.ts'
import { startEmulators } from './emulators.ts'
import { publishHostedApp } from './hosted-backend.ts'
import { startStaticHost } from './static-host.ts'

/** Emulators, production build and static host, once for all browser tests. */
// biome-ignore lint/style/noDefaultExport: Playwright takes a global setup by its default export
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
