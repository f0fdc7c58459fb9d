import type { Employee } from '../../../../contract/employees.ts'
import type { HistoryService } from '../../../backends/ports.ts'
import { t } from '../../../language/translate.ts'
import { isRunning } from '../../model/book/operation.ts'
import type { RecordList } from '../../model/book/sync-employees.ts'
import type { Editing } from '../../model/editing/use-editing.ts'
import { useHistory } from '../../model/history/history.ts'
import { useView } from '../../model/view.ts'
import styles from './about-record.module.css'
import { LastChanged } from './last-changed.tsx'
import { PreviousPasswordList } from './previous-password-list.tsx'

interface AboutRecordProps {
  employee: Employee
  service: HistoryService
  editing: Editing
  list: RecordList
}

/** What was done to the edited record, and the passwords it had before. */
export function AboutRecord({ employee, service, editing, list }: AboutRecordProps) {
  const { previousPasswords, team } = useHistory()
  const { setDialog } = useView()
  const { draft } = editing.merged
  return (
    <>
      <LastChanged service={service} employee={employee} />
      {previousPasswords && list.status !== 'closed' && !isRunning(draft) && (
        <PreviousPasswordList
          service={previousPasswords}
          employee={employee}
          onUse={(fields) => editing.setFields({ ...draft.fields, ...fields })}
        />
      )}
      {/* For fingers; otherwise the row has one. */}
      {team && (
        <button
          type="button"
          className={styles.handOver}
          onClick={() => setDialog({ kind: 'hand-over', records: [employee] })}
        >
          {t('Hand over')}
        </button>
      )}
    </>
  )
}
