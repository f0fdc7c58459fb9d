import { type KeyboardEvent, type MouseEvent, useEffect } from 'react'
import { type Employee, type FieldName, fieldNames, fieldRules } from '../../../../contract/employees.ts'
import { clearCopiedSecret, copyAndClear } from '../../../lib/clear-clipboard.ts'
import { Name } from '../../../ui/message.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { closestRow } from '../../model/elements.ts'
import { capitalize, displayName, fieldViews } from '../../model/fields.ts'
import { useHistory } from '../../model/history/history.ts'
import { getShortcutKey, hasLetterShortcuts, hasModifier } from '../../model/keys/shortcut-key.ts'
import { type Rows, rowAt } from '../../model/search/visible-rows.ts'
import { useView } from '../../model/view.ts'
import * as messages from './messages.ts'

export interface RowActions {
  onEdit(employee: Employee): void
  /** `clickTime` is the time stamp of the click in ms; undefined for a key. */
  onDelete(employee: Employee, clickTime?: number): void
}

/** The `data-action` of the button that copies a field. */
export const copyAction = (field: FieldName) => `copy-${field}`

/** The `data-action` of the button that a key presses on the focused row. */
const actionByKey: Record<string, string> = {
  ...Object.fromEntries(fieldNames.map((name) => [fieldViews[name].copyKey ?? '', copyAction(name)])),
  ' ': 'show',
  Enter: 'edit',
  e: 'edit',
  h: 'hand-over',
  Delete: 'delete',
  // The delete key of a Mac.
  Backspace: 'delete',
}

/**
 * Returns event handlers for the rows: they do what the pressed button is named after, `data-action`. One for all rows, because
 * rows are rendered while scrolling. The cell of a password shows it by itself.
 */
export function useRowActions(rows: Rows, isClosed: boolean, { onEdit, onDelete }: RowActions) {
  const { setDialog } = useView()
  const copyField = useCopyField(isClosed)
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
  const findButton = (target: EventTarget) => (target as Element).closest<HTMLElement>('button')

  return {
    onClick({ target, detail, timeStamp }: MouseEvent) {
      const employee = findEmployee(target)
      const action = findButton(target)?.dataset.action ?? ''
      if (employee) actions[action]?.(employee, detail > 0 ? timeStamp : undefined)
    },
    /** Between the buttons. */
    onDoubleClick({ target }: MouseEvent) {
      const employee = findEmployee(target)
      if (employee && !findButton(target)) onEdit(employee)
    },
  }
}

/** Presses a button of the focused row if the key is its shortcut. Returns whether it is. */
export function pressShortcut(event: KeyboardEvent): boolean {
  // Ignore auto-repeat: a held key must not act on one row after the other.
  if (event.repeat || hasModifier(event)) return false
  const row = closestRow(event.target as Element)
  const key = getShortcutKey(event)
  const button = row?.querySelector<HTMLElement>(`[data-action="${actionByKey[key]}"]`)
  // These press the button that has the focus.
  const isForButtons = key === ' ' || key === 'Enter'
  if (!button || (isForButtons ? event.target !== row : key.length === 1 && !hasLetterShortcuts()))
    return false
  button.click()
  return true
}

/**
 * Returns a function that copies a field and shows a toast. A copied password is cleared later, also after logout, and at once
 * when `isClosed`.
 */
function useCopyField(isClosed: boolean) {
  const showToast = useToast()
  const { report } = useHistory()
  useEffect(() => {
    if (isClosed) clearCopiedSecret()
  }, [isClosed])

  return async (employee: Employee, field: FieldName) => {
    const { isSecret } = fieldRules[field]
    const { noun } = fieldViews[field]
    const isCopied = await copyAndClear(employee[field], isSecret === true)
    if (isCopied && isSecret) report({ kind: 'copy', ids: [employee.id] })
    showToast(
      isCopied ? (
        <>
          {capitalize(noun)} of <Name>{displayName(employee)}</Name> {messages.copied}
        </>
      ) : (
        messages.copyFailed(noun, isSecret)
      ),
    )
  }
}
