import { type Employee, pickFields } from '../../../contract/employees.ts'
import { defaultPasswordOptions, generatePassword } from '../form/generate-password.ts'
import { type Draft, draftFromEmployee, emptyDraft, hasUnsavedInput, type Run } from '../outbox/draft.ts'

/** Returns a record as it is now; undefined if it does not exist any more. */
export type FindCurrent = (record: Employee) => Employee | undefined

/**
 * Returns the draft of the first record from a position on, with a new password; without a record if none is left. Passes
 * over the records that somebody has deleted or given another password since the start.
 */
export function openRecord(run: Run, from: number, findCurrent: FindCurrent): Draft & { run: Run } {
  const isOpen = (record: Employee) => findCurrent(record)?.password === record.password
  const position = run.records.findIndex((record, index) => index >= from && isOpen(record))
  const record = run.records[position]
  const current = record && findCurrent(record)
  if (!current) return { ...emptyDraft, run: { ...run, position: run.records.length } }
  const suggested = generatePassword(defaultPasswordOptions)
  return {
    fields: { ...pickFields(current), password: suggested },
    editing: current,
    run: { ...run, position, suggested },
  }
}

/** Returns the draft of a record that is skipped: with what the user has typed, without the run and its suggestion. */
export function leaveRecord({ run, ...draft }: Draft): Draft {
  const { fields, editing } = draft
  if (!editing || fields.password !== run?.suggested) return draft
  const typed = { ...draft, fields: { ...fields, password: editing.password } }
  return hasUnsavedInput(typed) ? draft : draftFromEmployee(editing)
}

/** The updates of a run whose password is still that of the record. */
export function findEffective({ changes }: Run, findCurrent: FindCurrent): Run['changes'] {
  return changes.filter(({ employee }) => findCurrent(employee)?.password === employee.password)
}
