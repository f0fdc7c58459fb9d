import type { Page } from '@playwright/test'
import { type EmployeeFields, pickFields } from '../../../contract/employees.ts'
import { paths } from '../../../contract/protocol.ts'

/** Puts records into the register as another browser of this account would, in this order. */
export async function createEmployees(page: Page, employees: EmployeeFields[]): Promise<void> {
  for (const employee of employees) {
    const response = await page.request.post(paths.books, { data: pickFields(employee) })
    if (!response.ok()) throw new Error(`${response.status()}: ${await response.text()}`)
  }
}

/** So many different people; from `Person 0`. */
export function makeEmployees(count: number): EmployeeFields[] {
  return Array.from({ length: count }, (_, index) => ({
    eName: `Person ${index}`,
    email: `person${index}@example.com`,
    password: `secret-${index}`,
  }))
}
