import { useEffect, useRef } from 'react'
import { hasLetterShortcuts } from './shortcut-setting.ts'

/** What the page's own keys do. A row's keys are the table's: see row-keys.ts. */
export interface PageShortcuts {
  search(): void
  newRecord(): void
  leaveEditing(): void
  undo(): void
  help(): void
}

/** Listens to the page's keys. Typing in a field is never taken for one, nor is a letter in a form, nor a key beside Ctrl, Alt or Meta. */
export function usePageShortcuts(shortcuts: PageShortcuts): void {
  const latest = useRef(shortcuts)
  latest.current = shortcuts

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.defaultPrevented || event.isComposing || event.repeat) return
      if (document.querySelector('dialog:modal')) return
      const action = getAction(event)
      if (!action) return
      event.preventDefault()
      latest.current[action]()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}

const actionByKey: Record<string, keyof PageShortcuts> = { '/': 'search', n: 'newRecord', '?': 'help' }

function getAction(event: KeyboardEvent): keyof PageShortcuts | undefined {
  if (event.key === 'Escape') return 'leaveEditing'
  if (isTyping(event.target)) return
  const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
  if (isUndo) return event.key.toLowerCase() === 'z' ? 'undo' : undefined
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (isInForm(event.target)) return
  return hasLetterShortcuts() && Object.hasOwn(actionByKey, event.key) ? actionByKey[event.key] : undefined
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
