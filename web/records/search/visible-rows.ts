import type { Employee } from '../../../contract/employees.ts'

/** The rows of the table: records of the book, in the order in which they are looked at. */
export interface Rows {
  employees: readonly Employee[]
  /** The places in the book of what is looked at; null: all of it, as it is, without 100,000 numbers to say so. */
  indices: readonly number[] | null
}

export interface Row {
  employee: Employee
  /** From 1, in the order of creation. */
  number: number
}

export function allRows(employees: readonly Employee[]): Rows {
  return { employees, indices: null }
}

export function countRows({ employees, indices }: Rows): number {
  return (indices ?? employees).length
}

/** The row at an index from 0; undefined beyond the last. */
export function rowAt({ employees, indices }: Rows, index: number): Row | undefined {
  const employeeIndex = indices ? indices[index] : index
  const employee = employeeIndex === undefined ? undefined : employees[employeeIndex]
  return employee && { employee, number: (employeeIndex ?? 0) + 1 }
}

/** The index of the row of the record with this id; -1 where it is not among them. */
export function indexOfRow({ employees, indices }: Rows, id: string | undefined): number {
  if (id === undefined) return -1
  const employeeIndex = employees.findIndex((employee) => employee.id === id)
  return indices && employeeIndex >= 0 ? indices.indexOf(employeeIndex) : employeeIndex
}
