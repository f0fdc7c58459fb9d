import { listen } from '../../lib/dom.ts'

/** A tab that takes part in the election of a leader. */
export interface Candidate {
  /** Makes this tab the leader at once, because the present one is silent or can't be followed. */
  takeOver(): void
  /** Ends this tab's leadership and candidacy. */
  resign(): void
}

/**
 * Elects one leader among the tabs of this browser that use the same name. `lead` is called when this tab is elected. The
 * function that it returns is called when another tab takes over, or this one resigns. When the leader's page is closed or
 * crashes, the next tab is elected immediately.
 */
export function runForLeader(name: string, lead: () => () => void): Candidate {
  // Web Locks need HTTPS or localhost.
  return navigator.locks ? runForLock(name, lead) : leadWhileVisible(lead)
}

function runForLock(name: string, lead: () => () => void): Candidate {
  const resignation = new AbortController()
  const { signal } = resignation
  const hasResigned = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  let isQueued = false
  let isLeading = false
  let stopLeading = () => {}

  /** Requests the lock, and leads while this tab holds it. */
  async function request(options: LockOptions) {
    let stop = () => {}
    try {
      await navigator.locks.request(name, options, () => {
        if (signal.aborted) return
        if (!options.steal) isQueued = false
        isLeading = true
        stop = stopLeading = lead()
        return hasResigned
      })
    } catch {
      // Another tab has taken the lock, or this tab has resigned while it was waiting.
    }
    if (stop === stopLeading) isLeading = false
    stop()
    queue()
  }

  /** Waits until no other tab holds the lock. */
  function queue() {
    if (isQueued || signal.aborted) return
    isQueued = true
    void request({ signal })
  }

  queue()
  return {
    takeOver() {
      if (isLeading || signal.aborted) return
      isLeading = true
      void request({ steal: true })
    },
    resign() {
      resignation.abort()
      stopLeading()
    },
  }
}

/** Makes every visible tab a leader where there are no locks, so hidden tabs hold no connection. */
function leadWhileVisible(lead: () => () => void): Candidate {
  let stopLeading: (() => void) | undefined

  function update() {
    if (!document.hidden) stopLeading ??= lead()
    else resign()
  }

  function resign() {
    stopLeading?.()
    stopLeading = undefined
  }

  const stopListening = listen(document, 'visibilitychange', update)
  update()
  return {
    takeOver: () => {},
    resign() {
      stopListening()
      resign()
    },
  }
}
