import type { DocumentData } from 'firebase/firestore'
import type { Employee } from '../../../contract/employees.ts'

/** Reads the known fields only: documents created in Firebase's console may have others. */
export function toEmployee(id: string, { eName, email, password }: DocumentData): Employee {
  return { id, eName: String(eName ?? ''), email: String(email ?? ''), password: String(password ?? '') }
}
