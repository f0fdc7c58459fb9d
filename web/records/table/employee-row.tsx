import { memo, useState } from 'react'
import { type Employee, fieldNames, fieldRules, hasSameFields } from '../../../contract/employees.ts'
import { rowNameId, showClippedTitle } from '../../lib/dom.ts'
import { IconButton } from '../../ui/button.tsx'
import cellStyles from '../../ui/cell.module.css'
import { copy } from '../../ui/messages.ts'
import { SecretCell } from '../../ui/secret-cell.tsx'
import { displayName, fieldViews, titleField } from '../fields.tsx'
import { Highlight } from '../search/highlight.tsx'
import styles from './employee-row.module.css'
import initialsStyles from './initials.module.css'
import { getColor, getInitials } from './initials.ts'
import * as messages from './messages.ts'
import type { RowActions } from './row-actions.ts'

/** The cells after the name, listed once, because rows are rendered while scrolling. */
const cells = fieldNames
  .filter((field) => field !== titleField)
  .map((field) => ({
    field,
    noun: fieldViews[field].noun,
    isSecret: fieldRules[field].isSecret,
    copyAction: `copy-${field}`,
  }))

const nameClasses = `${styles.name} ${initialsStyles.initials}`

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
  const name = displayName(employee)
  const nameId = rowNameId(employee.id)
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
      {...(isUnsaved ? { 'data-unsaved': '', 'aria-description': messages.unsaved } : {})}
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
        className={nameClasses}
        onPointerEnter={showClippedTitle}
        aria-label={name}
        data-initials={getInitials(employee[titleField])}
        data-color={getColor(employee.id)}
      >
        <bdi>
          <Highlight text={name} terms={terms} />
        </bdi>
      </th>
      {cells.map(({ field, noun, isSecret, copyAction }) =>
        isSecret ? (
          <td key={field} role="cell" className={styles.secret}>
            <SecretCell
              label={`${noun} of ${name}`}
              value={employee[field]}
              copyAction={copyAction}
              onCopy={() => actions.onCopy(employee, field)}
              onReveal={() => actions.onReveal(employee)}
            />
          </td>
        ) : (
          <td key={field} role="cell" className={styles.text}>
            <span className={cellStyles.cell}>
              <span className={cellStyles.text} onPointerEnter={showClippedTitle}>
                <Highlight text={employee[field]} terms={terms} />
              </span>
              <IconButton
                icon="copy"
                className={cellStyles.copy}
                aria-label={copy(`${noun} of ${name}`)}
                tabIndex={-1}
                data-action={copyAction}
                onClick={() => actions.onCopy(employee, field)}
              />
            </span>
          </td>
        ),
      )}
      <td role="cell" className={styles.actions}>
        <IconButton
          icon="pencil"
          aria-label={messages.edit(name)}
          tabIndex={-1}
          data-action="edit"
          onClick={() => actions.onEdit(employee)}
        />
        <IconButton
          icon="trash"
          className={styles.delete}
          aria-label={messages.remove(name)}
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
