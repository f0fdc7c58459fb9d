import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useEffect,
  useEffectEvent,
  useState,
} from 'react'
import { type Employee, type FieldName, fieldNames } from '../../../../contract/employees.ts'
import { clearCopiedSecret } from '../../../lib/clear-clipboard.ts'
import { actAfter, isWithin } from '../../../lib/dom.ts'
import { getShortcutKey, hasModifier } from '../../../lib/presses/key-press.ts'
import { useToast } from '../../../ui/toast.tsx'
import { useCopyField } from '../../model/copy-field.ts'
import { fieldViews } from '../../model/fields.ts'
import { hasLetterShortcuts } from '../../model/keys/shortcut-key.ts'
import { countRows, type Rows, rowAt } from '../../model/search/visible-rows.ts'
import type { Selection } from '../../model/selection/use-selection.ts'
import { useView } from '../../model/view.ts'
import { closestRow } from '../elements.ts'
import type { RowFocus } from './use-row-focus.ts'

export interface RowActions {
  onEdit(employee: Employee): void
  /** `clickTime` is the time stamp of the click in ms; undefined for a key. */
  onDelete(employee: Employee, clickTime?: number): void
}

/** The `data-action` of the button that copies a field. */
export const copyAction = (field: FieldName) => `copy-${field}`

/** The `data-action` of the button that a key presses on the focused row. */
export const actionByKey: Record<string, string> = {
  ...Object.fromEntries(fieldNames.map((name) => [fieldViews[name].copyKey ?? '', copyAction(name)])),
  ' ': 'show',
  Enter: 'edit',
  e: 'edit',
  h: 'hand-over',
  Delete: 'delete',
  // The delete key of a Mac.
  Backspace: 'delete',
}

/** Returns event handlers for all rows together, which are rendered while scrolling: they do what `data-action` says. */
export function useRowActions(
  rows: Rows,
  isClosed: boolean,
  { onEdit, onDelete }: RowActions,
  selection: Selection,
) {
  const { setDialog } = useView()
  const copyField = useCopyField(useToast())
  // At once when signed out.
  useEffect(() => {
    if (isClosed) clearCopiedSecret()
  }, [isClosed])
  const actions: Record<string, (employee: Employee, clickTime?: number) => void> = {
    ...Object.fromEntries(
      fieldNames.map((name) => [copyAction(name), (employee: Employee) => copyField(employee, name)]),
    ),
    edit: onEdit,
    delete: onDelete,
    'hand-over': (employee) => setDialog({ kind: 'hand-over', records: [employee] }),
  }
  const findEmployee = (target: EventTarget) =>
    rowAt(rows, Number(closestRow(target as Element)?.dataset.row))?.employee
  const findButton = (target: EventTarget) => (target as Element).closest<HTMLElement>('[data-action]')
  /** The whole first cell selects its row. */
  const findAction = (target: EventTarget) =>
    findButton(target)?.dataset.action ?? (isWithin(target, 'td:first-child') ? 'select' : '')
  const longPress = useLongPress((target) => {
    const employee = findEmployee(target)
    if (employee) selection.toggle(employee.id)
  })

  return {
    ...longPress.handlers,
    onClick(event: MouseEvent) {
      const { target, detail, timeStamp } = event
      const employee = findEmployee(target)
      if (!employee || longPress.hasEnded(event)) return
      const action = findAction(target)
      const isTap = longPress.isTouch() && selection.records.length > 0
      if (event.shiftKey && (action === 'select' || (action === '' && selection.records.length > 0)))
        selection.extendTo(Number(closestRow(target as Element)?.dataset.row))
      else if (action === 'select' || (action === '' && (event.ctrlKey || event.metaKey || isTap)))
        selection.toggle(employee.id)
      else actions[action]?.(employee, detail > 0 ? timeStamp : undefined)
    },
    /** Between the buttons: selects a text for copying, or edits. */
    onDoubleClick({ target }: MouseEvent) {
      const employee = findEmployee(target)
      const text = (target as Element).closest('[data-text]')
      if (text) return getSelection()?.selectAllChildren(text)
      if (employee && findAction(target) === '' && selection.records.length === 0) onEdit(employee)
    },
  }
}

/** How long a finger or a pen rests on a row to select it, in ms, and how far it may move, in px. */
const longPressLimits = { ms: 500, px: 10 }

/** Calls `onPress` when a finger or a pen has rested on a row. The click that may follow is not meant for the row. */
function useLongPress(onPress: (target: EventTarget) => void) {
  const [press] = useState({ stop: () => {}, x: 0, y: 0, isTouch: false, isDone: false })
  const act = useEffectEvent(onPress)
  useEffect(() => () => press.stop(), [press])
  return {
    isTouch: () => press.isTouch,
    /** Whether a click, or the menu of the browser, ends a long press. */
    hasEnded(event: MouseEvent): boolean {
      const { isDone } = press
      press.isDone = false
      if (isDone) event.preventDefault()
      return isDone
    },
    handlers: {
      onPointerDown({ target, pointerType, button, clientX, clientY }: PointerEvent) {
        press.stop()
        Object.assign(press, { x: clientX, y: clientY, isTouch: pointerType !== 'mouse', isDone: false })
        // The button of a pen opens the menu of the browser.
        if (!press.isTouch || button > 0) return
        press.stop = actAfter(longPressLimits.ms, () => {
          press.isDone = true
          act(target)
        })
      },
      onPointerMove({ clientX, clientY }: PointerEvent) {
        if (Math.hypot(clientX - press.x, clientY - press.y) > longPressLimits.px) press.stop()
      },
      onPointerUp: () => press.stop(),
      onPointerCancel: () => press.stop(),
      onContextMenu(event: MouseEvent) {
        if (press.isTouch && press.isDone) event.preventDefault()
      },
    },
  }
}

/** Selects with Shift and an arrow, Shift+Space, or Space once a record is selected. Returns whether the key is one of them. */
export function selectByKey(
  event: KeyboardEvent,
  selection: Selection,
  rows: Rows,
  rowFocus: RowFocus,
): boolean {
  const row = closestRow(event.target as Element)
  if (!row || event.ctrlKey || event.metaKey || event.altKey) return false
  const index = Number(row.dataset.row)
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step && event.shiftKey) {
    const next = Math.max(0, Math.min(index + step, countRows(rows) - 1))
    selection.extendTo(next, index)
    rowFocus.moveTo(next)
    return true
  }
  const isToggle =
    event.key === ' ' && event.target === row && (event.shiftKey || selection.records.length > 0)
  const id = rowAt(rows, index)?.employee.id
  if (isToggle && id !== undefined && !event.repeat) selection.toggle(id)
  return isToggle
}

/** Deletes the selected records if the key would delete the focused one. Returns whether it has. */
export function deleteSelectedByKey(
  event: KeyboardEvent,
  { records }: Selection,
  onDeleteSelected: () => void,
): boolean {
  const isDelete = actionByKey[event.key] === 'delete' && !event.repeat && !hasModifier(event)
  if (!isDelete || records.length === 0 || !closestRow(event.target as Element)) return false
  onDeleteSelected()
  return true
}

/** Presses a button of the focused row if the key is its shortcut. Returns whether it is. */
export function pressShortcut(event: KeyboardEvent): boolean {
  // Ignore auto-repeat: a held key must not act on one row after the other.
  if (event.repeat || hasModifier(event)) return false
  const row = closestRow(event.target as Element)
  const key = getShortcutKey(event)
  const button = row?.querySelector<HTMLElement>(`[data-action="${actionByKey[key]}"]`)
  if (!button) return false
  // These press the button that has the focus.
  const isForButtons = key === ' ' || key === 'Enter'
  if (isForButtons && event.target !== row) return false
  const isLetter = key.length === 1 && !isForButtons
  if (isLetter && !hasLetterShortcuts()) return false
  button.click()
  return true
}
