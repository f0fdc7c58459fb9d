import { useEffect, useRef } from 'react'
import { lettersAreKeys } from './shortcut-setting.ts'

/** What the page's own keys do. A row's keys are the table's: see row-keys.ts. */
export interface PageKeys {
  search(): void
  newRecord(): void
  leaveEditing(): void
  undo(): void
  help(): void
}

/** Listens to the page's keys. Typing in a field is never taken for one, nor is a letter in a form, nor a key beside Ctrl, Alt or Meta. */
export function usePageKeys(keys: PageKeys): void {
  const latest = useRef(keys)
  latest.current = keys

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.defaultPrevented || event.isComposing || event.repeat) return
      if (document.querySelector('dialog:modal')) return
      const action = actionOf(event)
      if (!action) return
      event.preventDefault()
      latest.current[action]()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}

const actions: Record<string, keyof PageKeys> = { '/': 'search', n: 'newRecord', '?': 'help' }

function actionOf(event: KeyboardEvent): keyof PageKeys | undefined {
  if (event.key === 'Escape') return 'leaveEditing'
  if (isTyping(event.target)) return
  const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
  if (isUndo) return event.key.toLowerCase() === 'z' ? 'undo' : undefined
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (isInForm(event.target)) return
  return lettersAreKeys() && Object.hasOwn(actions, event.key) ? actions[event.key] : undefined
}

/** Who fills in a form means a letter for one of its fields, even where the focus has slipped to a button or a link. */
function isInForm(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('form') !== null
}

/** Whether what is pressed goes into a text. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement)
    return !['checkbox', 'radio', 'range', 'button'].includes(target.type)
  return target.isContentEditable || ['TEXTAREA', 'SELECT'].includes(target.tagName)
}
