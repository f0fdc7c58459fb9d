import { Pencil, Trash2 } from 'lucide-react'
import { memo } from 'react'
import type { Employee } from '../../contract/employees.ts'
import { Button } from '../ui/button.tsx'
import styles from './employee-table.module.css'
import { PasswordCell } from './password-cell.tsx'

interface EmployeeRowProps {
  employee: Employee
  /** Place in the list, from 0. */
  index: number
  isEdited: boolean
  onEdit(employee: Employee): void
  onDelete(employee: Employee, index: number): void
}

/** Rendered again only when its own record changes. The roles are said aloud, because a grid layout drops them. */
export const EmployeeRow = memo(function EmployeeRow(props: EmployeeRowProps) {
  const { employee, index, isEdited, onEdit, onDelete } = props
  const { eName, email, password } = employee
  return (
    <tr
      role="row"
      className={styles.row}
      data-row={index}
      aria-rowindex={index + 2}
      {...(isEdited ? { 'aria-current': true } : {})}
    >
      <td role="cell" className={styles.number}>
        {index + 1}
      </td>
      <th role="rowheader" scope="row" className={styles.name} title={eName}>
        <bdi>{eName}</bdi>
      </th>
      <td role="cell" className={styles.email} title={email}>
        {email}
      </td>
      <td role="cell" className={styles.passwordCell}>
        <PasswordCell name={eName} password={password} />
      </td>
      <td role="cell" className={styles.actions}>
        <Button
          look="icon"
          aria-label={`Edit ${eName}`}
          title="Edit"
          data-action="edit"
          onClick={() => onEdit(employee)}
        >
          <Pencil aria-hidden="true" />
        </Button>
        <Button
          look="icon"
          className={styles.delete}
          aria-label={`Delete ${eName}`}
          title="Delete"
          data-action="delete"
          onClick={() => onDelete(employee, index)}
        >
          <Trash2 aria-hidden="true" />
        </Button>
      </td>
    </tr>
  )
})
