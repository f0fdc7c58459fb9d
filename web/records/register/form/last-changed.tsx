import { useCallback, useState } from 'react'
import type { Employee } from '../../../../contract/employees.ts'
import { maxRecordEvents, type RecordEvent } from '../../../../contract/history.ts'
import type { HistoryService } from '../../../backends/ports.ts'
import { useServiceList } from '../../../backends/use-service-list.ts'
import { isolate } from '../../../lib/isolate.ts'
import { formatTime } from '../../../lib/times.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import styles from '../../../ui/list.module.css'
import { ListStatus } from '../../../ui/list.tsx'
import { Text } from '../../../ui/message.tsx'
import { displayName } from '../../model/fields.ts'
import { useHistory } from '../../model/history/history.ts'
import * as messages from '../../model/history/messages.ts'
import { describePerson, useDetails } from '../../model/history/use-details.ts'
import { useView } from '../../model/view.ts'

interface LastChangedProps {
  service: HistoryService
  employee: Employee
}

/** Shows when and by whom a record was last changed, as one line of the form, which opens the history of the record. */
export function LastChanged({ service, employee }: LastChangedProps) {
  const [isOpen, setOpen] = useState(false)
  const { openDialog } = useView()
  const details = useDetails(service, employee, openDialog?.kind === 'hand-over')
  if (details === undefined) return null
  return (
    <>
      <button type="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Text>{details || messages.notRecorded}</Text>
      </button>
      {isOpen && <RecordHistory service={service} employee={employee} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Lists who has done what to a record, the latest first. */
function RecordHistory({ service, employee, onClose }: LastChangedProps & { onClose(): void }) {
  const { email } = useHistory()
  const { id } = employee
  const read = useCallback(async () => {
    const events = await service.listEvents(id)
    return events.map((event, index) => ({ ...event, id: `${index}` }))
  }, [service, id])
  const eventList = useServiceList('The history of a record was not read:', read)
  const { list } = eventList
  return (
    <Dialog title={messages.historyOf(isolate(displayName(employee)))} onClose={onClose}>
      <div className={styles.column}>
        <ol className={`${styles.list} ${styles.compact}`}>
          {list?.map((event) => (
            <li key={event.id} className={styles.item}>
              <p>
                <Text>{describeEvent(event, email)}</Text>
              </p>
              <p className={styles.time}>{formatTime(event.at)}</p>
            </li>
          ))}
        </ol>
        {list?.length === 0 && <p>{messages.notRecorded}</p>}
        {list?.length === maxRecordEvents && <p>{messages.onlyLatestEvents(maxRecordEvents)}</p>}
        <ListStatus {...eventList} />
      </div>
    </Dialog>
  )
}

function describeEvent({ kind, by, count }: RecordEvent, ownEmail: string): string {
  if (kind === 'open-hand-over') return messages.handoverOpened
  const person = describePerson(by, ownEmail)
  return kind === 'export'
    ? messages.exportedBy(person, count)
    : messages.eventBy[kind](person) + messages.withOthers((count ?? 1) - 1)
}
