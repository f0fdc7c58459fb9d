import { useEffect, useEffectEvent } from 'react'
import { findCover, isWithin, listen } from '../../lib/dom.ts'
import { getShortcutKey, isCommandKey, isForComposition } from '../../lib/presses/key-press.ts'
import { undoTyping } from '../../lib/presses/undo-typing.ts'
import { findCommand } from '../model/keys/page-commands.ts'

/**
 * In an empty text field, the shortcut of undo takes back what was typed, as anywhere, or else what the page has done last: it moves
 * the focus there after a deletion.
 */
export function useUndoInFields(onUndo: (() => void) | null): void {
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    const isField = isWithin(event.target, 'input') && (event.target as HTMLInputElement).value === ''
    const isIgnored = event.defaultPrevented || isForComposition(event) || event.repeat || findCover()
    if (!onUndo || isIgnored || !isField || !isCommandKey(event)) return
    if (findCommand(getShortcutKey(event), true) !== 'undo') return
    event.preventDefault()
    if (!undoTyping()) onUndo()
  })
  useEffect(() => listen(window, 'keydown', (event: KeyboardEvent) => handleKey(event)), [])
}
