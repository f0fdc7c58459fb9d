// Requests the list while the scripts of /form are being loaded. See web/backends/self-hosted/backend.ts.
try {
  if (location.pathname === '/form' && localStorage.getItem('user')) {
    const controller = new AbortController()
    const request = (query) => {
      const response = fetch(__LIST_PATH__ + query, { cache: 'no-store', signal: controller.signal })
      response.catch(() => {})
      return response
    }
    // On a slow line, a long list would delay the scripts, unless the browser has stored them: then its worker has requested the
    // list already (web/service-worker.js).
    if (navigator.serviceWorker?.controller) {
      const response = request('?early')
      window.earlyList = { controller, load: () => response }
    } else window.earlyList = { controller, first: request('?first=100'), load: () => request('') }
  }
} catch {
  // Without local storage, nobody is signed in.
}
