import type { PointerEvent } from 'react'

/** Handles events until the returned function is called; `types` are separated by spaces. Tests may have no such target. */
export function listen<E extends Event>(
  target: EventTarget | undefined,
  types: string,
  handle: (event: E) => unknown,
): () => void {
  const listening = new AbortController()
  for (const type of types.split(' ')) {
    target?.addEventListener(type, handle as EventListener, { signal: listening.signal })
  }
  return () => listening.abort()
}

/** Whether the element's full height is inside the viewport. */
export function isInViewport(element: Element | null | undefined): boolean {
  if (!element) return false
  const { top, bottom } = element.getBoundingClientRect()
  return top >= 0 && bottom <= innerHeight
}

/** Keeps a custom property of the page at an element's height. Returns a function that stops and removes the property. */
export function observeHeight(element: HTMLElement, property: `--${string}`): () => void {
  const { style } = document.documentElement
  let isObserving = true
  const update = () => isObserving && style.setProperty(property, `${element.offsetHeight}px`)
  update()
  // Later, because the property can resize other observed elements, which browsers report as an error of a loop.
  const observer = new ResizeObserver(() => requestAnimationFrame(update))
  observer.observe(element)
  return () => {
    isObserving = false
    observer.disconnect()
    style.removeProperty(property)
  }
}

/** Hidden tabs are never painted, so resolve after this time, in ms. */
const maxWaitMs = 100

/** Resolves once the current rendering has been painted, so that long work after it does not delay the paint. */
export function afterPaint(): Promise<void> {
  return new Promise((resolve) => {
    globalThis.requestAnimationFrame?.(() => setTimeout(resolve))
    setTimeout(resolve, maxWaitMs)
  })
}

/** Handles `onPointerEnter` of an element: a text that is cut off gets a title, any other gets none. */
export function showClippedTitle({ currentTarget }: PointerEvent<HTMLElement>): void {
  const text = currentTarget.querySelector('bdi') ?? currentTarget
  if (text.scrollWidth > text.clientWidth) currentTarget.title = text.textContent ?? ''
  else currentTarget.removeAttribute('title')
}

/**
 * Attributes of inputs that password managers must neither fill nor save: the standard attribute, and those of 1Password,
 * LastPass, Bitwarden and Dashlane. On a password field set `autoComplete` to `new-password`: browsers ignore `off` there.
 */
export const noAutofill = {
  autoComplete: 'off',
  'data-1p-ignore': '',
  'data-lpignore': 'true',
  'data-bwignore': '',
  'data-form-type': 'other',
} as const
