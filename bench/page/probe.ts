declare global {
  interface Window {
    probe: {
      /** When the first rows, and all rows, were painted, in ms after the navigation began. */
      openingTimes(): { firstRows: number; allRows: number }
      /** Watches for the next event of this kind. */
      startWatching(event: string): void
      /** From that event until the rows it changed were painted, in ms. */
      measurePaint(): Promise<number>
      /** Frames, the work of a step, and how often the middle of the screen was empty. */
      scroll(steps: number, distance: number): Promise<{ frames: number[]; work: number; blank: number }>
      /** Jumps to the end; 1 where the screen is empty then. */
      jumpToEnd(): Promise<number>
    }
  }
}

/** Runs in the page, before anything of its own. */
export function installProbe() {
  const opened = { firstRows: 0, allRows: 0 }
  const row = 'tbody tr'
  let paint = Promise.resolve(0)

  /** After the next frame has been painted. */
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
      if (document.querySelector(row)) opened.firstRows = now
    }
    while (!opened.allRows) {
      const now = await afterPaint()
      const count = Number(document.querySelector('table')?.getAttribute('aria-rowcount') ?? -1)
      if (count > 0) opened.allRows = now
    }
  }
  void watchOpening()

  const isBlank = () => {
    const middle = document.elementFromPoint(innerWidth / 2, innerHeight / 2)
    // At the very top it is the header that stands there.
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
        // All the way down and all the way up, so that a short table can be scrolled as long as a long one.
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
