// Requests the list while the scripts of /form are being loaded. See web/backends/self-hosted/backend.ts.
try {
  if (location.pathname === '/form' && localStorage.getItem('user')) {
    const controller = new AbortController()
    const response = fetch(__LIST_PATH__, { cache: 'no-store', signal: controller.signal })
    response.catch(() => {})
    window.earlyList = { response, abort: () => controller.abort() }
  }
} catch {
  // Without local storage, nobody is signed in.
}
