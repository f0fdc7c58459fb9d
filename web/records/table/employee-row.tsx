import { memo, useState } from 'react'
import { type Employee, hasSameFields } from '../../../contract/employees.ts'
import { showClippedTitle } from '../../ui/clipped-title.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { displayName } from '../fields.tsx'
import { Highlight } from '../search/highlight.tsx'
import styles from './employee-table.module.css'
import { getColor, getInitials } from './initials.ts'
import { PasswordCell } from './password-cell.tsx'
import type { RowActions } from './row-actions.ts'
import * as words from './words.ts'

interface EmployeeRowProps {
  employee: Employee
  /** 0-based index in the table. */
  index: number
  /** 1-based position in the order of creation. */
  number: number
  terms: readonly string[]
  isEdited: boolean
  /** A change of the record is not saved, so the row shows it as it was before. */
  isUnsaved: boolean
  /** The row is outside of the viewport and rendered only because it has the focus. */
  isOffscreen: boolean
  /** Must not change between renders, see `useStableActions`. */
  actions: RowActions
}

/**
 * Memoised. The explicit roles are required because `display: grid` removes the implicit roles of table elements. The row is
 * the only Tab stop; the arrow keys reach its buttons, see `useRowFocus`.
 */
export const EmployeeRow = memo(function EmployeeRow(props: EmployeeRowProps) {
  const { employee, index, number, terms, isEdited, isUnsaved, isOffscreen, actions } = props
  const { email, password } = employee
  const eName = displayName(employee)
  const nameId = `name-${employee.id}`
  const [hasChanged, setHasChanged] = useHasChanged(employee)
  return (
    <tr
      role="row"
      tabIndex={0}
      aria-labelledby={nameId}
      className={styles.row}
      data-row={index}
      data-changed={hasChanged}
      onAnimationEnd={() => setHasChanged(false)}
      aria-rowindex={index + 2}
      {...(isEdited ? { 'aria-current': true } : {})}
      {...(isUnsaved ? { 'data-unsaved': '', 'aria-description': words.unsaved } : {})}
      {...(isOffscreen
        ? {
            'data-offscreen': '',
            style: { insetBlockStart: `calc(var(--header-height) + var(--row-height) * ${index})` },
          }
        : {})}
    >
      <td role="cell" className={styles.number}>
        {number}
      </td>
      <th
        id={nameId}
        role="rowheader"
        scope="row"
        className={styles.name}
        onPointerEnter={showClippedTitle}
        aria-label={eName}
        data-initials={getInitials(employee.eName)}
        data-color={getColor(employee.id)}
      >
        <bdi>
          <Highlight text={eName} terms={terms} />
        </bdi>
      </th>
      <td role="cell" className={styles.email}>
        <span className={styles.withButtons}>
          <span className={styles.cellText} onPointerEnter={showClippedTitle}>
            <Highlight text={email} terms={terms} />
          </span>
          <IconButton
            icon="copy"
            className={styles.copy}
            aria-label={words.copyEmail(eName)}
            tabIndex={-1}
            data-action="copy-email"
            onClick={() => actions.onCopy(employee, 'email')}
          />
        </span>
      </td>
      <td role="cell" className={styles.passwordCell}>
        <PasswordCell
          name={eName}
          password={password}
          onCopy={() => actions.onCopy(employee, 'password')}
          onReveal={() => actions.onReveal(employee)}
        />
      </td>
      <td role="cell" className={styles.actions}>
        <IconButton
          icon="pencil"
          aria-label={words.edit(eName)}
          tabIndex={-1}
          data-action="edit"
          onClick={() => actions.onEdit(employee)}
        />
        <IconButton
          icon="trash"
          className={styles.delete}
          aria-label={words.remove(eName)}
          tabIndex={-1}
          data-action="delete"
          onClick={({ detail, timeStamp }) => actions.onDelete(employee, detail > 0 ? timeStamp : undefined)}
        />
      </td>
    </tr>
  )
})

/** Whether the record has changed since its row was rendered first, or since this was set to false. */
function useHasChanged(employee: Employee) {
  const [seen, setSeen] = useState(employee)
  const [hasChanged, setHasChanged] = useState(false)
  if (seen !== employee) {
    setSeen(employee)
    if (!hasSameFields(seen, employee)) setHasChanged(true)
  }
  return [hasChanged, setHasChanged] as const
}
