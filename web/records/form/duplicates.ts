import type { Employee } from '../../../contract/employees.ts'

/** The records with this email, in the order of creation, but for the one that is being edited itself. */
export function findSameEmail(
  book: readonly Employee[],
  email: string,
  exceptId: string | undefined,
): Employee[] {
  const wanted = normalizeEmail(email)
  if (!wanted) return []
  return book.filter((employee) => employee.id !== exceptId && normalizeEmail(employee.email) === wanted)
}

/** Mail goes to the same person however the address is capitalised. */
function normalizeEmail(email: string): string {
  return email.trim().toLowerCase()
}
