/** A policy of Trusted Types. The page's CSP requires them, and TypeScript does not declare them. */
interface ScriptPolicy {
  createScriptURL(input: string): string
}

/**
 * Registers web/service-worker.js in production builds, once the page is loaded and the browser is idle. Browsers offer
 * service workers in secure contexts only; without one the page works, but can't be opened without a network.
 */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const whenIdle = globalThis.requestIdleCallback ?? setTimeout
  const schedule = () => whenIdle(() => void register())
  if (document.readyState === 'complete') schedule()
  else addEventListener('load', schedule, { once: true })
}

async function register() {
  const path = '/sw.js'
  const { trustedTypes } = globalThis as {
    trustedTypes?: { createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy }
  }
  const policy = trustedTypes?.createPolicy('service-worker', { createScriptURL: () => path })
  try {
    const url = policy?.createScriptURL('') ?? path
    await navigator.serviceWorker.register(url, { updateViaCache: 'none' })
  } catch (error) {
    console.info('The page will not open without a network:', error)
  }
}

/** A page that stays open looks for a newer build whenever its tab is shown, and after this time, in ms. */
const lookIntervalMs = 3_600_000

/**
 * Calls `onNewer` when the browser has stored a newer build than that of this page, which the next load shows. Returns a
 * function that stops.
 */
export function watchForNewBuild(onNewer: () => void): () => void {
  if (!('serviceWorker' in navigator)) return () => {}
  const { serviceWorker } = navigator
  const listening = new AbortController()
  const { signal } = listening

  async function look() {
    const registration = document.hidden ? undefined : await serviceWorker.getRegistration()
    await registration?.update().catch(() => {})
  }

  async function compareBuilds() {
    const { controller } = serviceWorker
    // It deletes the previous build before it is activated.
    if (controller?.state === 'activating')
      return controller.addEventListener('statechange', compareBuilds, { signal, once: true })
    // Another build has another initial script: its name contains a hash.
    const isOwn = await caches.match(import.meta.url)
    if (!isOwn && !signal.aborted) onNewer()
  }

  serviceWorker.addEventListener('controllerchange', compareBuilds, { signal })
  document.addEventListener('visibilitychange', look, { signal })
  const timer = setInterval(look, lookIntervalMs)
  return () => {
    listening.abort()
    clearInterval(timer)
  }
}
