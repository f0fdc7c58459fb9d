/**
 * With HTTP/1.1 a browser opens six connections to a server, for all of its tabs together. One carries the event stream and
 * one is left for the page itself, so that slow requests of some tabs don't keep others from loading.
 */
const slotCounts = { write: 2, upload: 1, list: 1 }

/** A request waits this long for a slot, in ms, then is sent without: the tab that holds it may be frozen. */
const maxWaitMs = 120_000

/**
 * Runs the request when a slot of its kind is free, counting all tabs. If the signal is aborted while it is waiting, it runs
 * at once, and should then reject. Does not wait if the server speaks HTTP/2, or if the browser has no Web Locks.
 */
export async function withSlot<T>(
  kind: keyof typeof slotCounts,
  request: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const { locks } = navigator
  if (!locks || usesHttp2()) return request()
  const names = Array.from({ length: slotCounts[kind] }, (_, i) => `staffbook-${kind}-${i}`)
  for (const name of names) {
    const runIfFree = async (lock: Lock | null) => lock && { result: await request() }
    const done = await locks.request(name, { ifAvailable: true }, runIfFree)
    if (done) return done.result
  }
  const signals = [AbortSignal.timeout(maxWaitMs), ...(signal ? [signal] : [])]
  const slot = names[Math.floor(Math.random() * names.length)] ?? kind
  let isRunning = false
  const run = () => {
    isRunning = true
    return request()
  }
  return locks.request(slot, { signal: AbortSignal.any(signals) }, run).catch((error: unknown) => {
    if (isRunning) throw error
    return request()
  })
}

/** Responses from the cache have no protocol, so look for any that has. */
function usesHttp2(): boolean {
  const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  return resources.some(({ nextHopProtocol }) => /^h[23]/.test(nextHopProtocol))
}
