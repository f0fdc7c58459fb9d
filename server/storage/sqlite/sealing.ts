import type { SQLInputValue } from 'node:sqlite'
import type { EmployeeFields } from '../../../contract/employees.ts'

export type SealedFields = [eName: SQLInputValue, email: SQLInputValue, password: SQLInputValue]

/** How a record's fields lie in the file. */
export interface Sealing {
  seal(id: string, fields: EmployeeFields): SealedFields
  open(id: string, row: Record<keyof EmployeeFields, unknown>): EmployeeFields
}

/** As the specification says: plain text. */
export const plain: Sealing = {
  seal: (_id, { eName, email, password }) => [eName, email, password],
  open: (_id, { eName, email, password }) => ({
    eName: String(eName),
    email: String(email),
    password: String(password),
  }),
}
