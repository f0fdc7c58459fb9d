import type { EmployeeFields } from '../../../contract/employees.ts'
import type { MergedDraft } from './merge-draft.ts'

interface EditMessageProps {
  merged: MergedDraft
  wasDeleted: boolean
}

const fieldLabels: Record<keyof EmployeeFields, string> = {
  eName: 'name',
  email: 'email',
  password: 'password',
}

/** Reports what somebody else has done to the record in the form. What was typed stays. */
export function EditMessage({ merged: { conflicts, updated }, wasDeleted }: EditMessageProps) {
  if (wasDeleted) return 'This record has been deleted meanwhile. What you typed is still here.'
  if (conflicts.length > 0) {
    const also = updated.length > 0 && ` Also updated: the ${listFields(updated)}.`
    const names = conflicts.map(({ name }) => name)
    return `Someone else changed the ${listFields(names)} too. Choose below which to keep.${also || ''}`
  }
  return updated.length > 0 && `Someone else changed the ${listFields(updated)}, which is updated here.`
}

function listFields(names: (keyof EmployeeFields)[]): string {
  return names.map((name) => fieldLabels[name]).join(' and the ')
}
