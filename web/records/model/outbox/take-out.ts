import {
  type Employee,
  type EmployeeFields,
  emptyFields,
  type FieldName,
  fieldNames,
  fieldOf,
  pickNamed,
} from '../../../../contract/employees.ts'
import type { Draft, Operation, RecordChange } from '../book/operation.ts'

/** Returns what somebody has seen and wanted as it is without a change; undefined if it is not based on that. */
type TakeOut = (
  seen: Employee,
  wanted: EmployeeFields,
  sent: Draft['sent'],
  isFollowed: boolean,
) => (Pick<Draft, 'fields' | 'sent'> & { seen: Employee }) | undefined

/**
 * Takes a change out of those that follow it. Call the returned function with each of them in order: a field that one of them, on
 * which the next ones are based (`isFollowed`), changes again is as it was in those. `stored`: what the service may have because of
 * this change.
 */
export function createTakeOut(
  { before, employee }: RecordChange,
  stored: readonly EmployeeFields[] = [],
): TakeOut {
  let names = fieldNames.filter((name) => fieldOf(before, name) !== fieldOf(employee, name))
  return (seen, wanted, sent = [], isFollowed) => {
    if (seen.id !== employee.id) return
    const isBased = (name: FieldName) => (version: EmployeeFields) =>
      fieldOf(version, name) === fieldOf(employee, name)
    const based = names.filter((name) => [seen, ...sent].some(isBased(name)))
    const isKept = (name: FieldName) => (wanted[name] ?? fieldOf(seen, name)) === fieldOf(seen, name)
    if (isFollowed) names = names.filter(isKept)
    if (based.length === 0) return
    const base = { ...seen, ...pickNamed(based, before) }
    const changed = based.filter((name) => !isKept(name))
    const kept = pickNamed(based.filter(isKept), before)
    const versions = [...sent, ...stored.map((version) => ({ ...base, ...pickNamed(changed, version) }))]
    return {
      seen: base,
      fields: { ...wanted, ...kept },
      ...(versions.length > 0 && { sent: versions.map((version) => ({ ...version, ...kept })) }),
    }
  }
}

export function takeOutOfDraft(draft: Draft, takeOut: TakeOut): Draft {
  const { seen, ...taken } = (draft.editing && takeOut(draft.editing, draft.fields, draft.sent, false)) ?? {}
  return seen ? { ...draft, ...taken, editing: seen } : draft
}

export function takeOutOfOperation(operation: Operation, takeOut: TakeOut, isPending: boolean): Operation {
  if (!('employee' in operation)) return operation
  const { employee, before } = operation
  // A deletion leaves nothing.
  const taken = takeOut(before ?? employee, before ? employee : emptyFields, operation.sent, isPending)
  if (!taken) return operation
  const { seen, fields, ...sent } = taken
  return before
    ? { ...operation, ...sent, employee: { ...employee, ...fields }, before: seen }
    : { ...operation, ...sent, employee: seen }
}
