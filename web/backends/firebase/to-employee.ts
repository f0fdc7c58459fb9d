import type { DocumentData } from 'firebase/firestore'
import { type Employee, mapFields } from '../../../contract/employees.ts'

/** Reads the known fields only: documents created in Firebase's console may have others. */
export function toEmployee(id: string, data: DocumentData): Employee {
  return { id, ...mapFields((name) => String(data[name] ?? '')) }
}
