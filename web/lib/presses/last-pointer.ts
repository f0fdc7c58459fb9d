let lastType = ''

function remember({ pointerType }: PointerEvent) {
  lastType = pointerType
}

/** Remembers what the user presses with, before any other listener hears of the press, until the returned function is called. */
export function watchPointer(): () => void {
  addEventListener('pointerdown', remember, true)
  return () => removeEventListener('pointerdown', remember, true)
}

/** Whether the user presses with what rests above the page, a mouse or a pen. A computer may also have a touch screen. */
export const hasHover = () => (lastType ? lastType !== 'touch' : matchMedia('(hover: hover)').matches)
