// Serves the shell, that is the built files of the page, when there is no network. It stores nothing else: no response of
// the API and no record. scripts/page-plugins.ts writes it into the build and defines __SHELL__ from the built files.
const { version, pageIntegrity, files } = __SHELL__
const cachePrefix = 'shell-'
const cacheName = cachePrefix + version

/** How long a page or file that may be newer than the stored one is waited for, in ms. */
const networkTimeoutMs = 3_000

/** Null if the page does not get the list from this server. */
const listPath = __LIST_PATH__
/** Marks the request that takes the list which was requested together with the page. */
const earlyQuery = '?early'
/** How long it is kept for a page, in ms. */
const earlyListTimeoutMs = 10_000

/** What a proxy responds when the server does not. */
const gatewayErrors = [502, 503, 504]

addEventListener('install', (event) => {
  // Where browsers support it, requests to the API need not start this worker.
  event.addRoutes?.({ condition: { urlPattern: { pathname: '/api/*', search: '' } }, source: 'network' })
  event.waitUntil(storeShell())
})

/** Stores all files or, if one can't be loaded, none: the browser then tries again at the next visit. */
async function storeShell() {
  const cache = await caches.open(cacheName)
  // The page of another build would refer to other files.
  const page = new Request('/', { integrity: pageIntegrity, cache: 'no-cache' })
  await cache.addAll([page, ...files])
  await skipWaiting()
}

addEventListener('activate', (event) => event.waitUntil(replaceOldShells()))

async function replaceOldShells() {
  const names = await caches.keys()
  const old = names.filter((name) => name.startsWith(cachePrefix) && name !== cacheName)
  await Promise.all(old.map((name) => caches.delete(name)))
  // Requests the page while this worker starts.
  await registration.navigationPreload?.enable()
  await clients.claim()
}

addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname, search } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (pathname === listPath && search === earlyQuery) event.respondWith(takeEarlyList(event))
  if (pathname.startsWith('/api/')) return
  if (request.mode === 'navigate') {
    if (listPath && pathname === '/form') requestEarlyList(event.resultingClientId)
    event.respondWith(preferNetwork(loadPage(event), '/'))
  } else if (!files.includes(pathname)) return
  // The name of an asset contains a hash of its content.
  else if (pathname.startsWith('/assets/')) event.respondWith(preferStored(request))
  else event.respondWith(preferNetwork(fetch(request), pathname))
})

/** Responses that pages will ask for, by the id of their client. */
const earlyLists = new Map()

/** Requests the list together with the page that will show it: web/inline/early-list.js takes it. */
function requestEarlyList(client) {
  const controller = new AbortController()
  const response = fetch(listPath, { cache: 'no-store', signal: controller.signal })
  response.catch(() => {})
  earlyLists.set(client, response)
  // Without a user, the page does not take it.
  setTimeout(() => earlyLists.delete(client) && controller.abort(), earlyListTimeoutMs)
}

function takeEarlyList({ clientId }) {
  const response = earlyLists.get(clientId)
  earlyLists.delete(clientId)
  return response ?? fetch(listPath, { cache: 'no-store' })
}

async function loadPage({ request, preloadResponse }) {
  return (await preloadResponse) ?? fetch(request)
}

async function preferStored(request) {
  return (await findStored(request)) ?? fetch(request)
}

/** The server's response, or the stored file if the server does not respond in time. */
async function preferNetwork(loading, path) {
  const timeout = new Promise((resolve) => setTimeout(resolve, networkTimeoutMs))
  const response = await Promise.race([loading, timeout]).catch(() => undefined)
  // Without a connection, Firefox resolves the preloaded response with an error.
  const isReceived = response && response.type !== 'error'
  if (isReceived && !gatewayErrors.includes(response.status)) return response
  return (await findStored(path)) ?? loading
}

function findStored(request) {
  return caches.match(request, { cacheName })
}
