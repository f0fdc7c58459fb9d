import type { DocumentData } from 'firebase/firestore'
import type { Employee } from '../../../contract/employees.ts'

/** By name: whatever else somebody may have put into a document with Firebase's console is none of ours. */
export function toEmployee(id: string, { eName, email, password }: DocumentData): Employee {
  return { id, eName: String(eName ?? ''), email: String(email ?? ''), password: String(password ?? '') }
}
