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

/**
 * Lets React handle the events of its container at the window. An element with a listener for clicks is "clickable" for screen
 * readers, which say so before its content. Nor may React set `onclick`, for which it looks first.
 */
export function listenAtWindow(container: HTMLElement): HTMLElement {
  container.addEventListener = window.addEventListener.bind(window)
  Object.defineProperty(container, 'onclick', { value: () => {} })
  return container
}

/** What a field of a form contains, also if it was filled without an event (facebook/react#1159). */
export const readField = (form: HTMLFormElement, name: string) =>
  (form.elements.namedItem(name) as HTMLInputElement | null)?.value ?? ''

export const isWithin = (target: EventTarget | null, selector: string) =>
  target instanceof Element && target.closest(selector) !== null

/** The dialog or menu that is open. It handles all keys itself, except that a menu leaves commands to the page. */
export const findCover = () =>
  document.querySelector<HTMLElement>('dialog:modal, [popover=auto]:popover-open')

/** Returns a function that calls all of these, such as those that `listen` returns. */
export const stopAll =
  (...stops: (() => void)[]) =>
  () => {
    for (const stop of stops) stop()
  }

/** Acts after a time, unless the returned function is called before. */
export function actAfter(delayMs: number, act: () => unknown): () => void {
  const timer = setTimeout(act, delayMs)
  return () => clearTimeout(timer)
}

/** Whether the mouse has moved: browsers also send `pointermove` when only the page beneath it has changed. */
export const hasMoved = ({ movementX, movementY }: PointerEvent) => movementX !== 0 || movementY !== 0

/** The second click of a double click would act on what has come to the place of the first. */
export function ignoreDoubleClick(event: Pick<UIEvent, 'detail' | 'preventDefault' | 'stopPropagation'>) {
  if (event.detail !== 2) return
  event.preventDefault()
  event.stopPropagation()
}

/** Enter held down would press one button after the other, or save one record of a run after the other. */
export function ignoreHeldEnter(event: Pick<KeyboardEvent, 'key' | 'preventDefault' | 'repeat'>) {
  if (event.repeat && event.key === 'Enter') event.preventDefault()
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

/** Handles the outcome of a promise until the returned function is called, which an effect can return. */
export function whenSettled<T>(
  promise: Promise<T> | undefined,
  handle: (value: T) => unknown,
  handleError: (error: unknown) => unknown = () => {},
): () => void {
  let isCurrent = true
  promise?.then(
    (value) => isCurrent && handle(value),
    (error) => isCurrent && handleError(error),
  )
  return () => {
    isCurrent = false
  }
}

/** Calls back when what has failed may succeed: the network, or the user, is back. Returns a function that stops. */
export const onReturn = (retry: () => unknown) => listen(globalThis.window, 'online focus', retry)

/** Loads in the background what the page works without: after a failure again on return. Returns a function that stops. */
export function loadOnReturn<T>(
  load: () => Promise<T>,
  handle: (value: T) => unknown = () => {},
): () => void {
  const start = () =>
    whenSettled(load(), handle, () => {
      const stopWaiting = onReturn(() => {
        stopWaiting()
        stop = start()
      })
      stop = stopWaiting
    })
  let stop = start()
  return () => stop()
}

/**
 * Attributes of inputs whose text no browser may check or complete: it marks names as mistakes, types what it suggests into
 * passwords, and may send what is typed to its vendor.
 */
export const noProofreading = { spellCheck: 'false', writingsuggestions: 'false' } as const

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
  ...noProofreading,
} as const
