import { isWithin, listen, stopAll } from '../dom.ts'

/** How far a mouse that rests may move, in px. */
const restPx = 4

/**
 * Presses a button that moves away while a resting mouse holds it, because something appears above it: browsers lose that press.
 * Not in the table, whose rows are held. Returns a function that stops.
 */
export function keepPresses(): () => void {
  let pressed: { button: HTMLElement; x: number; y: number; top: number } | undefined
  const start = ({ target, button: mouseButton, pointerType, x, y }: PointerEvent) => {
    const button = mouseButton === 0 && pointerType === 'mouse' && (target as Element).closest('button')
    pressed =
      button && !isWithin(button, 'tbody')
        ? { button, x, y, top: button.getBoundingClientRect().top }
        : undefined
  }
  const end = ({ target, x, y }: PointerEvent) => {
    if (!pressed || pressed.button.contains(target as Node)) return
    const { button, top } = pressed
    const isResting = Math.hypot(x - pressed.x, y - pressed.y) < restPx
    if (isResting && button.checkVisibility() && button.getBoundingClientRect().top !== top) button.click()
  }
  return stopAll(listen(window, 'pointerdown', start), listen(window, 'pointerup', end))
}
