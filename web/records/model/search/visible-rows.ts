import type { Employee } from '../../../../contract/employees.ts'

/** The rows of the table: the employees that match the search, in the selected order. */
export interface Rows {
  employees: readonly Employee[]
  /** Indices of `employees`, one per row; null means all in stored order, without allocating 100,000 numbers. */
  indices: readonly number[] | null
}

export const countRows = ({ employees, indices }: Rows) => (indices ?? employees).length

export function listEmployees({ employees, indices }: Rows): readonly Employee[] {
  return indices ? indices.flatMap((index) => employees[index] ?? []) : employees
}

/** The row at a 0-based index, with its 1-based position in the order of creation; undefined if the index is out of range. */
export function rowAt({ employees, indices }: Rows, index: number) {
  const employeeIndex = indices ? indices[index] : index
  const employee = employeeIndex === undefined ? undefined : employees[employeeIndex]
  return employee && { employee, number: (employeeIndex ?? 0) + 1 }
}

/** The 0-based index of the row with this id; -1 if there is none. */
export function indexOfRow({ employees, indices }: Rows, id: string | undefined): number {
  if (id === undefined) return -1
  const employeeIndex = employees.findIndex((employee) => employee.id === id)
  return indices && employeeIndex >= 0 ? indices.indexOf(employeeIndex) : employeeIndex
}
