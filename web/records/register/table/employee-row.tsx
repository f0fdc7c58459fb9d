import { memo, useState } from 'react'
import {
  type Employee,
  fieldNames,
  fieldOf,
  fieldRules,
  hasSameFields,
} from '../../../../contract/employees.ts'
import { t } from '../../../language/translate.ts'
import { IconButton } from '../../../ui/button.tsx'
import cellStyles from '../../../ui/cell.module.css'
import type { IconName } from '../../../ui/icon.tsx'
import initialsStyles from '../../../ui/initials.module.css'
import { SecretCell } from '../../../ui/secret-cell.tsx'
import {
  capitalize,
  captionOf,
  displayName,
  fieldViews,
  readableField,
  titleField,
} from '../../model/fields.ts'
import { useHistory } from '../../model/history/history.ts'
import { getColor, getInitials } from '../../model/initials.ts'
import type { UnsavedMark } from '../../model/outbox/entry.ts'
import { rowNameId } from '../elements.ts'
import { Highlight } from '../search/highlight.tsx'
import styles from './employee-row.module.css'
import unsavedStyles from './unsaved-row.module.css'
import { copyAction } from './use-row-actions.tsx'

/** The cells after the name, listed once, because rows are rendered while scrolling. */
const cells = fieldNames
  .filter((field) => field !== titleField)
  .map((field) => ({
    field,
    noun: fieldViews[field].noun,
    isSecret: fieldRules[field].isSecret,
    action: copyAction(field),
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
  isSelected: boolean
  /** What is not saved of the record, which the row shows as it was before. */
  unsaved: UnsavedMark | undefined
  /** What is wrong with the password, while the table is narrowed to such records. */
  note: string | undefined
  /** The password of the row before is wrong otherwise, or another. */
  startsGroup: boolean
  /** The row is outside of the viewport and rendered only because it has the focus. */
  isOffscreen: boolean
}

/**
 * Memoised. The explicit roles are required because `display: grid` removes the implicit roles of table elements. The row is
 * the only Tab stop; the arrow keys reach its buttons, see `useRowFocus`. For what these do see `useRowActions`.
 */
export const EmployeeRow = memo(function EmployeeRow(props: EmployeeRowProps) {
  const { employee, index, number, terms, isEdited, isSelected, unsaved, note, startsGroup, isOffscreen } =
    props
  const [seen, setSeen] = useState(employee)
  const unsavedText = unsaved && (unsaved === 'deleted' ? t('Will be deleted') : t('Not saved'))
  return (
    <tr
      role="row"
      tabIndex={0}
      aria-labelledby={rowNameId(employee.id)}
      className={unsaved ? `${styles.row} ${unsavedStyles.unsaved}` : styles.row}
      data-row={index}
      data-changed={!hasSameFields(seen, employee)}
      onAnimationEnd={() => setSeen(employee)}
      aria-rowindex={index + 2}
      aria-current={isEdited || undefined}
      data-selected={isSelected || undefined}
      data-starts-group={startsGroup || undefined}
      {...(unsaved && { 'data-unsaved': unsaved, 'aria-description': unsavedText })}
      {...(isOffscreen && {
        'data-offscreen': '',
        style: { insetBlockStart: `calc(var(--header-height) + var(--row-height) * ${index})` },
      })}
    >
      {renderNumber(number, displayName(employee), isSelected)}
      <RowCells employee={employee} terms={terms} note={note} fate={unsavedText} />
    </tr>
  )
})

interface RowCellsProps extends Pick<EmployeeRowProps, 'employee' | 'terms' | 'note'> {
  /** Says that the record will be deleted, or that something of it is not saved. */
  fate: string | undefined
}

/** The cells after the number. Memoised, because a delete changes only the numbers of the rows below. */
const RowCells = memo(function RowCells({ employee, terms, note, fate }: RowCellsProps) {
  const name = displayName(employee)
  const { team, report } = useHistory()
  return (
    <>
      <th
        id={rowNameId(employee.id)}
        role="rowheader"
        scope="row"
        className={nameClasses}
        aria-label={name}
        data-initials={getInitials(employee[titleField])}
        data-color={getColor(employee.id)}
        data-fate={fate}
      >
        <bdi key={`${name} ${terms}`}>
          <Highlight text={name} terms={terms} />
        </bdi>
      </th>
      {cells.map((cell) =>
        renderCell(cell, name, employee, terms, note, () => report({ kind: 'reveal', ids: [employee.id] })),
      )}
      <td role="cell" className={styles.actions}>
        {renderButton('pencil', t('Edit {name}', { name }), 'edit')}
        {renderButton('trash', t('Delete {name}', { name }), 'delete', styles.delete)}
        {team && renderButton('send', t('Hand over {name}', { name }), 'hand-over', styles.handOver)}
      </td>
    </>
  )
})

/* These are not components, because rows are rendered while scrolling. */

/** The position of the record, and in its place the checkbox that selects the record: see the style sheet. */
function renderNumber(number: number, name: string, isSelected: boolean) {
  return (
    <td role="cell" className={styles.number}>
      {number}
      <input
        type="checkbox"
        className={styles.select}
        aria-label={t('Select {name}', { name })}
        tabIndex={-1}
        checked={isSelected}
        readOnly
        data-action="select"
      />
    </td>
  )
}

function renderCell(
  { field, noun, isSecret, action }: (typeof cells)[number],
  name: string,
  employee: Employee,
  terms: readonly string[],
  note: string | undefined,
  onReveal: () => void,
) {
  const values = { field: t(noun), name }
  const value = fieldOf(employee, field)
  if (value === '') return <td key={field} role="cell" className={isSecret ? styles.secret : styles.text} />
  return isSecret ? (
    <td key={field} role="cell" className={styles.secret}>
      <SecretCell
        label={t('{field} of {name}', { field: capitalize(values.field), name })}
        showLabel={t('Show {field} of {name}', values)}
        caption={captionOf(field)}
        value={value}
        note={field === 'password' ? note : undefined}
        copy={{ label: t('Copy {field} of {name}', values), action }}
        onReveal={onReveal}
      />
    </td>
  ) : (
    <td key={field} role="cell" className={styles.text}>
      <span className={cellStyles.cell}>
        <span key={`${value} ${terms}`} className={cellStyles.text} data-text>
          <Highlight text={readableField(employee, field)} terms={terms} />
        </span>
        {renderButton('copy', t('Copy {field} of {name}', values), action, cellStyles.copy)}
      </span>
    </td>
  )
}

function renderButton(icon: IconName, label: string, action: string, className?: string) {
  return (
    <IconButton icon={icon} className={className} aria-label={label} tabIndex={-1} data-action={action} />
  )
}
