import { useCallback, useState } from 'react'
import type { Employee } from '../../../../contract/employees.ts'
import { maxRecordEvents, type RecordEvent } from '../../../../contract/history.ts'
import type { HistoryService } from '../../../backends/ports.ts'
import { useServiceList } from '../../../backends/use-service-list.ts'
import { type Message, msg, t } from '../../../language/translate.ts'
import { isolate, removeMarks } from '../../../lib/isolate.ts'
import { formatTime } from '../../../lib/times/times.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import styles from '../../../ui/list.module.css'
import { ListStatus } from '../../../ui/list.tsx'
import { Text } from '../../../ui/message.tsx'
import { capitalize, displayName, listNouns, visibleFieldNames } from '../../model/fields.ts'
import { useHistory } from '../../model/history/history.ts'
import { describePerson, useDetails } from '../../model/history/use-details.ts'
import { useOpenDialog } from '../../model/view.ts'

interface LastChangedProps {
  service: HistoryService
  employee: Employee
}

/** Shows when and by whom a record was last changed, as one line of the form, which opens the history of the record. */
export function LastChanged({ service, employee }: LastChangedProps) {
  const [isOpen, setOpen] = useState(false)
  const openDialog = useOpenDialog()
  const details = useDetails(service, employee, openDialog?.kind === 'hand-over')
  if (details === undefined) return null
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        data-short={details.short && removeMarks(details.short)}
        onClick={() => setOpen(true)}
      >
        <Text>{details.line || t('No change history for this record.')}</Text>
      </button>
      {isOpen && <RecordHistory service={service} employee={employee} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Lists who has done what to a record, the latest first. */
function RecordHistory({ service, employee, onClose }: LastChangedProps & { onClose(): void }) {
  const { email, previousPasswords } = useHistory()
  const { id } = employee
  const read = useCallback(async () => {
    const [events, previous = [], [details] = []] = await Promise.all([
      service.listEvents(id),
      previousPasswords?.list(id).catch(() => []),
      service.details([id]).catch(() => []),
    ])
    const replaced = previous.map(({ replacedAt }) => replacedAt)
    const changed = changeFinder(replaced, details?.passwordChangedAt)
    return events.map((event, index) => ({ ...event, id: `${index}`, changed: changed(event) }))
  }, [service, previousPasswords, id])
  const eventList = useServiceList('The history of a record was not read:', read)
  const { list } = eventList
  return (
    <Dialog title={t('History of {name}', { name: isolate(displayName(employee)) })} onClose={onClose}>
      <div className={styles.column}>
        <ol className={`${styles.list} ${styles.compact} ${styles.timed}`}>
          {list?.map((event) => (
            <li key={event.id} className={styles.item}>
              <p>
                <Text>
                  {event.changed
                    ? describeChange(event.changed, describePerson(event.by, email))
                    : describeEvent(event, email)}
                </Text>
              </p>
              <p className={styles.time}>{formatTime(event.at)}</p>
            </li>
          ))}
        </ol>
        {list?.length === 0 && <p>{t('No change history for this record.')}</p>}
        {list?.length === maxRecordEvents && (
          <p>{t('Only the latest {count, number} entries are listed.', { count: maxRecordEvents })}</p>
        )}
        <ListStatus {...eventList} />
      </div>
    </Dialog>
  )
}

type Changed = 'password' | 'texts' | undefined

/**
 * Returns what tells what a change was of, from the times at which the password is known to have changed. The time of the latest
 * is always known: a later change was not of the password. An earlier one may have been, as a password that was set again is no
 * previous one any more.
 */
function changeFinder(
  replaced: readonly string[],
  latest: string | undefined,
): (event: RecordEvent) => Changed {
  return ({ kind, at }) => {
    if (kind !== 'change') return undefined
    if (at === latest || replaced.includes(at)) return 'password'
    return latest !== undefined && at > latest ? 'texts' : undefined
  }
}

function describeChange(changed: 'password' | 'texts', by: string): string {
  if (changed === 'password') return t('Password changed by {by}', { by })
  const fields = capitalize(listNouns(visibleFieldNames, 'disjunction'))
  return t('{fields} changed by {by}', { fields, by })
}

const eventBy: Record<Exclude<RecordEvent['kind'], 'export' | 'open-hand-over'>, Message> = {
  add: msg('Added by {by}'),
  change: msg('Changed by {by}'),
  delete: msg('Deleted by {by}'),
  restore: msg('Restored by {by}'),
  reveal: msg('Password shown to {by}'),
  copy: msg('Password copied by {by}'),
  'hand-over': msg('Handed over by {by}'),
  'revoke-hand-over': msg('Hand-over revoked by {by}'),
}

function describeEvent({ kind, by: account, count }: RecordEvent, ownEmail: string): string {
  if (kind === 'open-hand-over') return t('Hand-over opened with its link')
  const by = describePerson(account, ownEmail)
  if (kind !== 'export') {
    const values = { event: t(eventBy[kind], { by }), others: Math.max(0, (count ?? 1) - 1) }
    return t(
      '{others, plural, =0 {{event}} one {{event}, with one other} other {{event}, with # others}}',
      values,
    )
  }
  if (count === undefined) return t('Records exported by {by}', { by })
  const values = { count, by }
  return t('{count, plural, one {# record exported by {by}} other {# records exported by {by}}}', values)
}
