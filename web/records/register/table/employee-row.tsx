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
import { SecretCell } from '../../../ui/secret-cell.tsx'
import { capitalize, displayName, fieldViews, readableField, titleField } from '../../model/fields.ts'
import { useHistory } from '../../model/history/history.ts'
import { rowNameId, showClippedTitle } from '../elements.ts'
import { Highlight } from '../search/highlight.tsx'
import styles from './employee-row.module.css'
import initialsStyles from './initials.module.css'
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
  /** A change of the record is not saved, so the row shows it as it was before. */
  isUnsaved: boolean
  /** The row is outside of the viewport and rendered only because it has the focus. */
  isOffscreen: boolean
}

/**
 * Memoised. The explicit roles are required because `display: grid` removes the implicit roles of table elements. The row is
 * the only Tab stop; the arrow keys reach its buttons, see `useRowFocus`. For what these do see `useRowActions`.
 */
export const EmployeeRow = memo(function EmployeeRow(props: EmployeeRowProps) {
  const { employee, index, number, terms, isEdited, isSelected, isUnsaved, isOffscreen } = props
  const [seen, setSeen] = useState(employee)
  return (
    <tr
      role="row"
      tabIndex={0}
      aria-labelledby={rowNameId(employee.id)}
      className={styles.row}
      data-row={index}
      data-changed={!hasSameFields(seen, employee)}
      onAnimationEnd={() => setSeen(employee)}
      aria-rowindex={index + 2}
      aria-current={isEdited || undefined}
      data-selected={isSelected || undefined}
      {...(isUnsaved && { 'data-unsaved': '', 'aria-description': t('Not saved') })}
      {...(isOffscreen && {
        'data-offscreen': '',
        style: { insetBlockStart: `calc(var(--header-height) + var(--row-height) * ${index})` },
      })}
    >
      {renderNumber(number, displayName(employee), isSelected)}
      <RowCells employee={employee} terms={terms} />
    </tr>
  )
})

/** The cells after the number. Memoised, because a delete changes only the numbers of the rows below. */
const RowCells = memo(function RowCells({ employee, terms }: Pick<EmployeeRowProps, 'employee' | 'terms'>) {
  const name = displayName(employee)
  const { team, report } = useHistory()
  return (
    <>
      <th
        id={rowNameId(employee.id)}
        role="rowheader"
        scope="row"
        className={nameClasses}
        onPointerEnter={showClippedTitle}
        aria-label={name}
        data-initials={getInitials(employee[titleField])}
        data-color={getColor(employee.id)}
      >
        <bdi key={`${name} ${terms}`}>
          <Highlight text={name} terms={terms} />
        </bdi>
      </th>
      {cells.map((cell) =>
        renderCell(cell, name, employee, terms, () => report({ kind: 'reveal', ids: [employee.id] })),
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
        value={value}
        copy={{ label: t('Copy {field} of {name}', values), action }}
        onReveal={onReveal}
      />
    </td>
  ) : (
    <td key={field} role="cell" className={styles.text}>
      <span className={cellStyles.cell}>
        <span
          key={`${value} ${terms}`}
          className={cellStyles.text}
          data-text
          onPointerEnter={showClippedTitle}
        >
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

/** The first letters of the first and the last word, each with up to three accents; in a script without capitals one letter. */
export function getInitials(name: string): string {
  const words = name.match(/\p{L}[\p{L}\p{M}'’-]*/gu) ?? []
  const letters = [words[0], words.length > 1 ? words.at(-1) : ''].map(
    (word) => word?.match(/^\p{L}\p{M}{0,3}/u)?.[0],
  )
  const initials = letters.join('').toLocaleUpperCase()
  return /\p{Lu}/u.test(initials) ? initials : (letters[0] ?? '')
}

/** One of 8 colors, which a record keeps. The style sheet has them: style attributes would make scrolling a tenth slower. */
export function getColor(id: string): number {
  let hash = 0
  for (let index = 0; index < id.length; index++) hash = (hash * 31 + id.charCodeAt(index)) % 1_000_003
  return (hash * 3) % 8
}
