type Listener = (event: Event) => unknown

interface ListenerOptions {
  once?: boolean
  signal?: AbortSignal
}

/**
 * `EventTarget`, whose listeners go when their signal is aborted. Node holds what removes them by weak references, of which a garbage
 * collection can end those that a target has beside the latest.
 */
export class SimulatedEventTarget {
  readonly #listeners = new Map<string, Map<Listener, ListenerOptions>>()

  addEventListener(type: string, listener: Listener, options: ListenerOptions = {}): void {
    const { signal } = options
    if (signal?.aborted) return
    const listeners = this.#listeners.get(type) ?? new Map()
    this.#listeners.set(type, listeners)
    if (listeners.has(listener)) return
    listeners.set(listener, options)
    signal?.addEventListener('abort', () => listeners.delete(listener), { once: true })
  }

  removeEventListener(type: string, listener: Listener): void {
    this.#listeners.get(type)?.delete(listener)
  }

  countListeners(): number {
    return [...this.#listeners.values()].reduce((count, { size }) => count + size, 0)
  }

  dispatchEvent(event: Event): boolean {
    const listeners = this.#listeners.get(event.type)
    for (const [listener, { once }] of [...(listeners ?? [])]) {
      if (!listeners?.has(listener)) continue
      if (once) listeners.delete(listener)
      listener.call(this, event)
    }
    return true
  }
}

class SimulatedSignal extends SimulatedEventTarget {
  aborted = false
  reason: unknown

  throwIfAborted(): void {
    if (this.aborted) throw this.reason
  }
}

/** The classes `AbortController` and `AbortSignal`, on this clock. */
export function createAbortClasses(actAfter: (act: () => void, delayMs: number) => unknown) {
  class AbortController {
    readonly signal = new SimulatedSignal()

    abort(reason: unknown = new DOMException('This operation was aborted', 'AbortError')): void {
      const { signal } = this
      if (signal.aborted) return
      signal.aborted = true
      signal.reason = reason
      signal.dispatchEvent(new Event('abort'))
    }
  }

  const AbortSignal = {
    timeout(delayMs: number): SimulatedSignal {
      const controller = new AbortController()
      const abort = () => controller.abort(new DOMException('The operation timed out.', 'TimeoutError'))
      actAfter(abort, delayMs)
      return controller.signal
    },
    any(signals: SimulatedSignal[]): SimulatedSignal {
      const controller = new AbortController()
      for (const signal of signals) {
        const abort = () => controller.abort(signal.reason)
        if (signal.aborted) abort()
        else signal.addEventListener('abort', abort, { once: true })
      }
      return controller.signal
    },
  }
  return { AbortController, AbortSignal }
}
