/** A policy of Trusted Types. The page's CSP requires them, and TypeScript does not declare them. */
interface ScriptPolicy {
  createScriptURL(input: string): string
}

let isRegistered = false

/**
 * Registers web/service-worker.js in production builds, once the page is loaded and the browser is idle; the first call counts.
 * It loads all files of the page, so call it when the first screen needs the line no more. Browsers offer service workers
 * in secure contexts only; without one the page works, but can't be opened without a network.
 */
export function registerServiceWorker(): void {
  if (isRegistered || !import.meta.env.PROD || !('serviceWorker' in navigator)) return
  isRegistered = true
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
