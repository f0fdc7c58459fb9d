// What moves on the page: for people who have asked for reduced motion, nothing may.
import { vi } from 'vitest'

/** Every animation and transition that has run, with its duration in ms. */
const motions: string[] = []

function recordMotion({ type, target }: Event) {
  for (const { effect } of (target as Element).getAnimations({ subtree: true })) {
    const { duration, delay = 0 } = effect?.getComputedTiming() ?? {}
    if (Number(duration) + delay > 1) motions.push(`${type} of ${duration} ms`)
  }
}

const eventTypes = ['transitionrun', 'animationstart']

export function recordMotions(): void {
  motions.length = 0
  for (const type of eventTypes) addEventListener(type, recordMotion, { capture: true })
  const { animate } = Element.prototype
  vi.spyOn(Element.prototype, 'animate').mockImplementation(function (this: Element, ...how) {
    motions.push(`${this.tagName} slides`)
    return animate.apply(this, how)
  })
}

export function stopRecordingMotions(): void {
  for (const type of eventTypes) removeEventListener(type, recordMotion, { capture: true })
}

/** What has moved for more than 1 ms since the last call, and the styles that animate, also if nothing moves now. */
export function findMotions(): string[] {
  const longest = (times: string) =>
    Math.max(...times.split(',').map((time) => Number.parseFloat(time) * (time.endsWith('ms') ? 1 : 1000)))
  const found = new Set(motions.splice(0))
  for (const element of document.querySelectorAll('*')) {
    for (const pseudo of ['', '::before', '::after', '::backdrop']) {
      const style = getComputedStyle(element, pseudo)
      const name = `${element.tagName.toLowerCase()}${pseudo}`
      if (longest(style.transitionDuration) > 1) found.add(`${name} has a transition`)
      if (style.animationName !== 'none' && longest(style.animationDuration) > 1)
        found.add(`${name} has an animation`)
      if (style.scrollBehavior === 'smooth') found.add(`${name} scrolls smoothly`)
    }
  }
  return [...found]
}
