import type { Page } from '@playwright/test'
import { type EmployeeFields, fieldsOf } from '../../../contract/employees.ts'
import { paths } from '../../../contract/protocol.ts'

/** Puts records into the register as another browser of this account would, in this order. */
export async function addMany(page: Page, employees: EmployeeFields[]): Promise<void> {
  for (const employee of employees) {
    const answer = await page.request.post(paths.books, { data: fieldsOf(employee) })
    if (!answer.ok()) throw new Error(`${answer.status()}: ${await answer.text()}`)
  }
}

/** So many different people; from `Person 0`. */
export function people(count: number): EmployeeFields[] {
  return Array.from({ length: count }, (_, index) => ({
    eName: `Person ${index}`,
    email: `person${index}@example.com`,
    password: `secret-${index}`,
  }))
}
