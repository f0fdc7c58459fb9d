import type { KeyboardEvent } from 'react'
import { type Rows, rowAt } from '../search/visible-rows.ts'
import { hasLetterShortcuts } from '../shortcuts/shortcut-setting.ts'
import type { RowActions } from './employee-row.tsx'
import { closestRow } from './use-row-focus.ts'

/** Carries out the key of a row that has the focus; true where it was one. */
export function handleRowShortcut(event: KeyboardEvent, rows: Rows, actions: RowActions): boolean {
  // A key held down must not go through the register row by row.
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return false
  const row = closestRow(event.target as Element)
  const employee = row && rowAt(rows, Number(row.dataset.row))?.employee
  if (!employee) return false
  if (event.key.length === 1 && !hasLetterShortcuts()) return false
  if (event.key === 'e') actions.onEdit(employee)
  else if (event.key === 'Delete') actions.onDelete(employee, 0)
  else if (event.key === 'c') actions.onCopy(employee, 'password')
  else if (event.key === 'm') actions.onCopy(employee, 'email')
  else return false
  return true
}
