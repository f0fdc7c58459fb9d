import { isCommandKey, isForComposition } from './key-press.ts'

/** The keys pressed for a field whose code is still on its way. It reads and removes them. */
export const keysAhead: string[] = []

const typingKeys = /^(.|Enter|Backspace|Delete)$/u

/**
 * Calls `cancel` on Escape, which does nothing else, and keeps the keys that type or act if a field comes, until the returned function
 * is called.
 */
export function watchKeys(cancel: () => void, hasField: boolean): () => void {
  keysAhead.length = 0
  function handle(event: KeyboardEvent) {
    const isEscape = event.key === 'Escape' && !isForComposition(event)
    if (!isEscape && (!hasField || !typingKeys.test(event.key) || isCommandKey(event))) return
    event.preventDefault()
    event.stopPropagation()
    if (isEscape) cancel()
    else keysAhead.push(event.key)
  }
  addEventListener('keydown', handle, true)
  return () => removeEventListener('keydown', handle, true)
}
