import { vi } from 'vitest'

/**
 * Holds the timeouts of these lengths, in ms, until the returned function lets time pass for them. Vitest's fake timers also advance
 * while the mouse is moved, by however long the machine takes for that.
 */
export function holdTimeouts(...heldMs: number[]): (timeMs: number) => void {
  const { setTimeout: start, clearTimeout: stop } = globalThis
  const held = new Map<number, { act: () => void; atMs: number }>()
  let nowMs = 0
  let lastId = 0
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((act: () => void, timeMs = 0) => {
    if (!heldMs.includes(timeMs)) return start(act, timeMs)
    lastId -= 1
    held.set(lastId, { act, atMs: nowMs + timeMs })
    return lastId
  }) as typeof setTimeout)
  vi.spyOn(globalThis, 'clearTimeout').mockImplementation((id) => {
    if (!held.delete(Number(id))) stop(id)
  })
  return (timeMs) => {
    nowMs += timeMs
    for (const [id, { act, atMs }] of held) {
      if (atMs > nowMs) continue
      held.delete(id)
      act()
    }
  }
}
