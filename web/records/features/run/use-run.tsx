import { type ReactNode, useState } from 'react'
import { type Employee, hasSameFields, pickFields } from '../../../../contract/employees.ts'
import { t } from '../../../language/translate.ts'
import { copyAndClear } from '../../../lib/clear-clipboard.ts'
import { isolate } from '../../../lib/isolate.ts'
import { cutName, Text } from '../../../ui/message.tsx'
import { useToast } from '../../../ui/toast.tsx'
import {
  type Draft,
  draftFromEmployee,
  emptyDraft,
  hasUnsavedInput,
  isRunning,
  operationFromDraft,
  type Run,
} from '../../model/book/operation.ts'
import type { RecordList } from '../../model/book/sync-employees.ts'
import type { Editing } from '../../model/editing/use-editing.ts'
import { displayName } from '../../model/fields.ts'
import { useHistory } from '../../model/history/history.ts'
import { useCloseOnEscape } from '../../model/keys/use-page-shortcuts.ts'
import { applyPendingUpdates, type Entry } from '../../model/outbox/entry.ts'
import type { Outbox } from '../../model/outbox/outbox.ts'
import { defaultPasswordOptions, generatePassword } from '../../model/passwords/generate-password.ts'
import { useView } from '../../model/view.ts'

export interface RunOptions {
  editing: Editing
  outbox: Outbox
  list: RecordList
  /** Makes the save of a record with these fields silent. */
  silence(employee: Employee): void
  announce(message: ReactNode): void
}

export type RunControls = ReturnType<typeof useRun>

/** Replaces the passwords of several records, one after the other. The run is a part of the draft, so a reload continues it. */
export function useRun(options: RunOptions) {
  const { editing, outbox, list, silence } = options
  const { draft } = editing.merged
  const { run } = draft
  const { report } = useHistory()
  const showToast = useToast()
  const { focusForm } = useView()
  const { event, tell, goTo, findCurrent } = useSteps(options)

  /** Copies the password; false if the browser does not allow it. */
  async function copy({ id, password }: Employee): Promise<boolean> {
    if (list.status === 'closed' || !(await copyAndClear(password, true))) return false
    report({ kind: 'copy', ids: [id] })
    return true
  }

  const start = () => run && goTo(run, 0)(t('A new password is suggested. Update saves and copies it.'))

  /** Saves the record and copies its password. Skips a record without a change. */
  async function save() {
    const { editing: before, fields } = draft
    if (!run || !before || !hasUnsavedInput(draft)) return skip()
    const employee = { id: before.id, ...fields }
    silence(employee)
    void outbox.submit(operationFromDraft(draft))
    const copying = copy(employee)
    const tellNext = goTo({ ...run, changes: [...run.changes, { before, employee }] }, run.position + 1)
    const name = isolate(displayName(employee))
    tellNext(
      (await copying)
        ? t('{name} saved, new password copied.', { name })
        : t('{name} saved. Your browser blocked copying: the new password is in the table.', { name }),
    )
  }

  function leave(from: number) {
    if (!run) return
    void outbox.stashDraft(leaveRecord(draft))
    goTo(run, from)()
  }
  const skip = () => leave((run?.position ?? 0) + 1)
  const stop = () => leave(run?.records.length ?? 0)
  useCloseOnEscape(isRunning(draft), stop)

  async function copyOld() {
    // Instead of the button, so that Enter saves.
    focusForm()
    const isCopied = draft.editing && (await copy(draft.editing))
    tell(
      isCopied
        ? t('Old password copied.')
        : t('Your browser blocked copying. The old password is in the table.'),
    )
  }

  const close = () => void outbox.saveForm({ fields: draft.fields, editing: draft.editing })

  function undoAll(changes: Run['changes']) {
    close()
    for (const change of changes) undoChange(options, change)
    showToast(
      t('{count, plural, one {# password} other {# passwords}} changed back.', { count: changes.length }),
    )
  }

  return { isRunning: isRunning(draft), event, start, save, skip, stop, copyOld, findCurrent, close, undoAll }
}

/** The steps from record to record, each shown and announced once together with what comes next. */
function useSteps({ outbox, list, announce }: RunOptions) {
  const { focus, focusForm, closeForm } = useView()
  /** What has happened last. */
  const [event, setEvent] = useState<ReactNode>()

  function findCurrent(record: Employee): Employee | undefined {
    const { employees, status } = list
    // Until all are loaded, a record that is missing may exist.
    const current = employees.find(({ id }) => id === record.id) ?? (status === 'loaded' ? undefined : record)
    return current && applyPendingUpdates(current, outbox.entries())
  }

  function tell(event: ReactNode, next?: string) {
    setEvent(event)
    announce(joinTexts(event, next))
  }

  /** Opens the first record from a position on, or ends the run. Returns a function that announces it, after an event. */
  function goTo(run: Run, from: number): (event?: string) => void {
    const next = openRecord(run, from, findCurrent)
    const last = run.records[run.position]
    if (last && from >= run.records.length && run.changes.length === 0) {
      void outbox.saveForm(emptyDraft)
      closeForm()
      focus({ on: 'row', id: last.id, ifHidden: 'focus form' })
      return () => {}
    }
    void outbox.saveForm(next)
    if (next.editing) focusForm()
    else closeForm()
    const { position, records } = next.run
    const count = findEffective(next.run, findCurrent).length
    const passedOver =
      position > from &&
      t(
        '{count, plural, one {# record skipped because someone changed or deleted it.} other {# records skipped because someone changed or deleted them.}}',
        { count: position - from },
      )
    const place = next.editing
      ? t('{position, number} of {total, number}: {name}', {
          position: position + 1,
          total: records.length,
          name: isolate(displayName(next.editing)),
        })
      : describeChanged(count, records.length)
    return (event) => tell(joinTexts(event, passedOver), place)
  }

  return { event, tell, goTo, findCurrent }
}

const joinTexts = (first: ReactNode, second: ReactNode) => (
  <>
    <Text renderValue={cutName}>{first}</Text> <Text renderValue={cutName}>{second}</Text>
  </>
)

/** How many passwords of the run were changed. */
export const describeChanged = (count: number, total: number) =>
  count === total
    ? t('{count, plural, one {# password} other {# passwords}} changed.', { count })
    : t('{count, number} of {total, plural, one {# password} other {# passwords}} changed.', { count, total })

/** Returns a record as it is now; undefined if it does not exist any more. */
type FindCurrent = (record: Employee) => Employee | undefined

/** Returns the draft of the first record from a position on that nobody else has changed, with a new password, if any is left. */
function openRecord(run: Run, from: number, findCurrent: FindCurrent): Draft & { run: Run } {
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
function leaveRecord({ run, ...draft }: Draft): Draft {
  const { fields, editing } = draft
  if (!editing || fields.password !== run?.suggested) return draft
  const typed = { ...draft, fields: { ...fields, password: editing.password } }
  return hasUnsavedInput(typed) ? draft : draftFromEmployee(editing)
}

/** The updates of a run whose password is still that of the record. */
export function findEffective({ changes }: Run, findCurrent: FindCurrent): Run['changes'] {
  return changes.filter(({ employee }) => findCurrent(employee)?.password === employee.password)
}

/** Takes an update back that was saved or waits, merged with what others have changed since. */
function undoChange({ outbox, silence }: RunOptions, { before, employee }: Run['changes'][number]) {
  silence(before)
  const isUndo = (entry: Entry) =>
    entry.state === 'updated' &&
    entry.employee.id === employee.id &&
    hasSameFields(entry.employee, employee) &&
    hasSameFields(entry.before, before)
  const entry = outbox.entries().find(isUndo)
  if (entry) void outbox.undo(entry.id)
  else void outbox.submit({ kind: 'update', employee: before, before: employee, isUndo: true })
}
