import { useEffect, useEffectEvent } from 'react'
import { getShortcutKey, hasLetterShortcuts, hasModifier } from './shortcut-key.ts'

/** What the page-wide shortcuts do. For the shortcuts of a row see `table/row-actions.ts`. */
export interface PageShortcuts {
  search(): void
  newRecord(): void
  undo(): void
  help(): void
}

/**
 * Handles the page-wide shortcuts. Ignores keys typed into a text field, letters inside a form, and keys pressed with
 * Ctrl, Alt or Meta, except undo.
 */
export function usePageShortcuts(shortcuts: PageShortcuts): void {
  const run = useEffectEvent((action: keyof PageShortcuts) => shortcuts[action]())

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.defaultPrevented || event.isComposing || event.repeat) return
      if (document.querySelector('dialog:modal, [popover=auto]:popover-open')) return
      const action = getAction(event)
      const act = event.key === 'Escape' ? openParts.at(-1) : action && (() => run(action))
      if (!act) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}

/** What closes the open parts of the page, in the order in which they were opened. */
const openParts: (() => void)[] = []

/** Closes a part of the page on Escape, unless another was opened after it. Dialogs and popovers need no hook. */
export function useCloseOnEscape(isOpen: boolean, close: () => void): void {
  const closePart = useEffectEvent(close)
  useEffect(() => {
    if (!isOpen) return
    const part = () => closePart()
    openParts.push(part)
    return () => void openParts.splice(openParts.indexOf(part), 1)
  }, [isOpen])
}

const actionByKey: Record<string, keyof PageShortcuts> = { '/': 'search', n: 'newRecord', '?': 'help' }

function getAction(event: KeyboardEvent): keyof PageShortcuts | undefined {
  if (isWithin(event.target, textField)) return
  const key = getShortcutKey(event)
  const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
  if (isUndo) return key === 'z' ? 'undo' : undefined
  // A letter typed inside a form is meant for a field, even if a button or link has the focus.
  if (hasModifier(event) || isWithin(event.target, 'form')) return
  return hasLetterShortcuts() && Object.hasOwn(actionByKey, key) ? actionByKey[key] : undefined
}

const textField = 'input:not([type=checkbox], [type=radio], [type=range], [type=button]), textarea, select'

const isWithin = (target: EventTarget | null, selector: string) =>
  target instanceof Element && target.closest(selector) !== null
