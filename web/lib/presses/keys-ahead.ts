import { isCommandKey } from './key-press.ts'

/** The keys pressed for a field whose code is still on its way. It reads and removes them. */
export const keysAhead: string[] = []

const typingKeys = /^(.|Enter|Backspace|Delete)$/u

/** Keeps the keys that type or act, for a field that comes, until the returned function is called. */
export function keepKeys(): () => void {
  keysAhead.length = 0
  function keep(event: KeyboardEvent) {
    if (!typingKeys.test(event.key) || isCommandKey(event)) return
    event.preventDefault()
    event.stopPropagation()
    keysAhead.push(event.key)
  }
  addEventListener('keydown', keep, true)
  return () => removeEventListener('keydown', keep, true)
}
