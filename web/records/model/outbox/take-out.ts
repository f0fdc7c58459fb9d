import {
  changedNames,
  type Employee,
  type EmployeeFields,
  emptyFields,
  type FieldName,
  fieldOf,
  pickNamed,
} from '../../../../contract/employees.ts'
import {
  type Draft,
  isSent,
  type Operation,
  type RecordChange,
  type SentFields,
  toSent,
} from '../book/operation.ts'

/**
 * Returns what somebody has seen and wanted as it is without a change, with what the service may have of that; undefined if it is not
 * based on it.
 */
type TakeOut = (
  seen: Employee,
  wanted: EmployeeFields,
  isFollowed: boolean,
) => { seen: Employee; fields: EmployeeFields; stored: SentFields[] } | undefined

/**
 * Takes a change out of those that follow it. Call the returned function with each of them in order: a field that one of them, on
 * which the next ones are based (`isFollowed`), changes again is as it was in those. `stored`: what the service may have because of
 * this change.
 */
export function createTakeOut(
  { before, employee }: RecordChange,
  stored: readonly SentFields[] = [],
): TakeOut {
  let names = changedNames(before, employee)
  return (seen, wanted, isFollowed) => {
    if (seen.id !== employee.id) return
    const based = names.filter((name) => fieldOf(seen, name) === fieldOf(employee, name))
    const isKept = (name: FieldName) => (wanted[name] ?? fieldOf(seen, name)) === fieldOf(seen, name)
    if (isFollowed) names = names.filter(isKept)
    if (based.length === 0) return
    const changed = based.filter((name) => !isKept(name))
    return {
      seen: { ...seen, ...pickNamed(based, before) },
      fields: { ...wanted, ...pickNamed(based.filter(isKept), before) },
      stored: stored.map((version) => ({
        ...version,
        names: changed.filter((name) => isSent(name)(version)),
      })),
    }
  }
}

export function takeOutOfDraft(draft: Draft, takeOut: TakeOut): Draft {
  const { fields, editing, sent = [] } = draft
  const taken = editing && takeOut(editing, fields, false)
  if (!taken) return draft
  return { ...draft, fields: taken.fields, editing: taken.seen, sent: [...sent, ...taken.stored] }
}

/** `key`: that with which the operation may have been sent as it is. */
export function takeOutOfOperation(
  operation: Operation,
  takeOut: TakeOut,
  isPending: boolean,
  key: string,
): Operation {
  if (!('employee' in operation)) return operation
  const { employee, before, sent = [] } = operation
  // A deletion leaves nothing.
  const taken = takeOut(before ?? employee, before ? employee : emptyFields, isPending)
  if (!taken) return operation
  const { seen, fields, stored } = taken
  return before
    ? {
        ...operation,
        sent: [...sent, ...stored, toSent({ before, employee }, key)],
        employee: { ...employee, ...fields },
        before: seen,
      }
    : { ...operation, sent: [...sent, ...stored], employee: seen }
}
