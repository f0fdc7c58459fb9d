/** TypeScript does not declare Trusted Types, which the page's CSP requires. */
interface ScriptPolicy {
  createScriptURL(input: string): string
}

const policies = new Map<string, ScriptPolicy | undefined>()

/** Returns the URL of a script as a trusted one, from a policy of that name. The policy knows no other URL. */
export function trustScriptUrl(name: string, url: string): string {
  const { trustedTypes } = globalThis as {
    trustedTypes?: { createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy }
  }
  // The CSP allows each policy once.
  const policy = policies.get(name) ?? trustedTypes?.createPolicy(name, { createScriptURL: () => url })
  policies.set(name, policy)
  return policy?.createScriptURL('') ?? url
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
  try {
    const url = trustScriptUrl('service-worker', '/sw.js')
    await navigator.serviceWorker.register(url, { updateViaCache: 'none' })
  } catch (error) {
    console.info('The page will not open without a network:', error)
  }
}
