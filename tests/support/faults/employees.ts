import type { EmployeeFields } from '../../../contract/employees.ts'

/** Creates `count` records with the same password. */
export function makeEmployeesWithPassword(password: string, count: number): EmployeeFields[] {
  return Array.from({ length: count }, (_, i) => ({
    eName: `Person ${i}`,
    email: `person-${i}@example.com`,
    password,
  }))
}
