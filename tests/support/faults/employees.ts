import type { EmployeeFields } from '../../../contract/employees.ts'

/** So many people, known by the password they share. */
export function makeEmployeesWithPassword(password: string, count: number): EmployeeFields[] {
  return Array.from({ length: count }, (_, i) => ({
    eName: `Person ${i}`,
    email: `person-${i}@example.com`,
    password,
  }))
}
