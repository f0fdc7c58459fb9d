import { useEffect, useEffectEvent } from 'react'
import { findCover, isWithin, listen } from '../../../lib/dom.ts'
import {
  getShortcutKey,
  hasModifier,
  isCommandKey,
  isForComposition,
} from '../../../lib/presses/key-press.ts'
import { findCommand, type PageActions } from './page-commands.ts'
import { hasLetterShortcuts } from './shortcut-key.ts'

/** What the page-wide shortcuts do. For the shortcuts of a row see `table/use-row-actions.tsx`. */
export interface PageShortcuts {
  actions: PageActions
  /** Whether there are rows that the browser's own search does not find, because they are not rendered. */
  hasUnrenderedRows(): boolean
  /** Actions by their letters, which also work inside the form, outside of its fields. */
  inForm: Readonly<Record<string, () => void>>
}

/** Handles the page-wide shortcuts, except in text fields; in a form only `inForm`; with modifiers only undo, find and the menu. */
export function usePageShortcuts(shortcuts: PageShortcuts): void {
  const findAction = useEffectEvent((event: KeyboardEvent) => getAction(event, shortcuts))

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.defaultPrevented || isForComposition(event) || event.repeat) return
      const cover = findCover()
      if (cover && !(cover.popover && isCommandKey(event))) return
      const act = event.key === 'Escape' ? openParts.at(-1) : findAction(event)
      if (!act) return
      event.preventDefault()
      // The focus returns to the menu's button, which a dialog then restores it to.
      cover?.hidePopover()
      act()
    }
    return listen(window, 'keydown', onKeyDown)
  }, [])
}

/** Whether a key is for the page as a whole: not for a text field, nor for a dialog or menu. */
export const isForPage = (event: KeyboardEvent) =>
  !event.defaultPrevented && !isWithin(event.target, textField) && !findCover()

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

function getAction(event: KeyboardEvent, shortcuts: PageShortcuts): (() => void) | null {
  const { actions, inForm } = shortcuts
  const key = getShortcutKey(event)
  const isCommand = isCommandKey(event)
  if (isCommand && key === 'f') {
    // There it opens the browser's own search.
    const isInSearch = isWithin(event.target, '[type=search]')
    return !isInSearch && shortcuts.hasUnrenderedRows() ? actions.search : null
  }
  const isInField = isWithin(event.target, textField)
  const command = findCommand(key, isCommand)
  if (isCommand) {
    // Undo is for the typing there.
    const isForField = isInField && command === 'undo'
    return command && !isForField ? actions[command] : null
  }
  if (isInField || hasModifier(event) || !hasLetterShortcuts()) return null
  if (inForm[key]) return inForm[key]
  // Any other letter typed inside a form is meant for a field, even if a button or link has the focus.
  return command && !isWithin(event.target, 'form') ? actions[command] : null
}

const textField = 'input:not([type=checkbox], [type=radio], [type=range], [type=button]), textarea, select'
