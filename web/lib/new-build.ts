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
    // The name of this script contains a hash, which changes with any script of the build that it imports or that imports it.
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
