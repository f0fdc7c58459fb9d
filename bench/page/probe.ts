declare global {
  interface Window {
    probe: {
      /** Times of the paint of the first rows, or of the field elsewhere, and of all rows, in ms since the navigation. */
      openingTimes(): { firstRows: number; allRows: number }
      /** Starts to watch for the next event of this type. */
      startWatching(event: string): void
      /** The time from that event to the paint of the changed rows, in ms. */
      measurePaint(): Promise<number>
      /** Durations of frames, main thread time per step, and the number of frames with an empty middle. */
      scroll(steps: number, distance: number): Promise<{ frames: number[]; work: number; blank: number }>
      /** Jumps to the end. Returns 1 if the middle of the screen is empty. */
      jumpToEnd(): Promise<number>
    }
  }
}

/** Runs in the page before its scripts. */
export function installProbe() {
  const opened = { firstRows: 0, allRows: 0 }
  const first = location.pathname === '/form' ? 'tbody tr' : 'input[type=email]'
  let paint = Promise.resolve(0)

  /** Resolves with the time after the next paint. */
  const afterPaint = () =>
    new Promise<number>((resolve) => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => resolve(performance.now())
        port2.postMessage(null)
      })
    })

  async function watchOpening() {
    while (!opened.firstRows) {
      const now = await afterPaint()
      if (document.querySelector(first)) opened.firstRows = now
    }
    while (first === 'tbody tr' && !opened.allRows) {
      const now = await afterPaint()
      const count = Number(document.querySelector('table')?.getAttribute('aria-rowcount') ?? -1)
      if (count > 0) opened.allRows = now
    }
  }
  void watchOpening()

  const isBlank = () => {
    const middle = document.elementFromPoint(innerWidth / 2, innerHeight / 2)
    return middle?.closest('tr') ? 0 : 1
  }

  window.probe = {
    openingTimes: () => opened,

    startWatching(event) {
      const body = document.querySelector('tbody') as Element
      paint = new Promise((resolve, reject) => {
        setTimeout(() => reject(new Error(`No row has changed after ${event}.`)), 20_000)
        const onEvent = ({ timeStamp }: Event) => {
          const observer = new MutationObserver(async () => {
            observer.disconnect()
            resolve((await afterPaint()) - timeStamp)
          })
          observer.observe(body, { childList: true, subtree: true, characterData: true })
        }
        addEventListener(event, onEvent, { once: true, capture: true })
      })
    },

    measurePaint: () => paint,

    async scroll(steps, distance) {
      const frames: number[] = []
      let work = 0
      let blank = 0
      let direction = 1
      let last = await afterPaint()
      for (let step = 0; step < steps; step++) {
        const before = performance.now()
        // Reverse at both ends, so that a short table can be scrolled for as many steps as a long one.
        if (scrollY + innerHeight + distance > document.documentElement.scrollHeight) direction = -1
        if (scrollY < distance) direction = 1
        scrollBy({ top: direction * distance, behavior: 'instant' })
        const now = await afterPaint()
        work += performance.now() - before
        frames.push(now - last)
        last = now
        blank += isBlank()
      }
      return { frames, work: work / steps, blank }
    },

    async jumpToEnd() {
      scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' })
      await afterPaint()
      return isBlank()
    },
  }
}
