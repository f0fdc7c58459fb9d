import type { KeyboardEvent } from 'react'
import { type Employee, type FieldName, fieldNames } from '../../../contract/employees.ts'
import { closestRow } from '../elements.ts'
import { fieldViews } from '../fields.tsx'
import { type Rows, rowAt } from '../search/visible-rows.ts'
import { getShortcutKey, hasLetterShortcuts, hasModifier } from '../shortcuts/shortcut-key.ts'

/** What a row's buttons and shortcuts do. */
export interface RowActions {
  onEdit(employee: Employee): void
  /** `clickTime` is the time stamp of the click in ms; undefined for a key. */
  onDelete(employee: Employee, clickTime?: number): void
  onCopy(employee: Employee, field: FieldName): void
  /** Undefined if the service has no hand-overs. */
  onHandOver?: ((employee: Employee) => void) | undefined
  /** The password is now shown. */
  onReveal(employee: Employee): void
}

/** Handles a shortcut of the focused row. Returns true if the key is one. */
export function handleRowShortcut(event: KeyboardEvent, rows: Rows, actions: RowActions): boolean {
  // Ignore auto-repeat: a held key must not act on one row after the other.
  if (event.repeat || hasModifier(event)) return false
  const row = closestRow(event.target as Element)
  const employee = row && rowAt(rows, Number(row.dataset.row))?.employee
  if (!employee) return false
  const key = getShortcutKey(event)
  const isOnRow = event.target === row
  if (isOnRow && key === ' ') row.querySelector<HTMLElement>('[data-action="show"]')?.click()
  else if (isOnRow && key === 'Enter') actions.onEdit(employee)
  else if (key.length === 1 && !hasLetterShortcuts()) return false
  else if (key === 'e') actions.onEdit(employee)
  else if (key === 'h') actions.onHandOver?.(employee)
  // The delete key of a Mac is Backspace.
  else if (key === 'Delete' || key === 'Backspace') actions.onDelete(employee)
  else {
    const field = fieldNames.find((name) => fieldViews[name].copyKey === key)
    if (!field) return false
    actions.onCopy(employee, field)
  }
  return true
}
