import { t } from '../../../language/translate.ts'
import { Button } from '../../../ui/button.tsx'
import type { RecordList } from '../../model/book/sync-employees.ts'
import { useView } from '../../model/view.ts'
import { MissingRecords } from './missing-records.tsx'
import styles from './placeholders.module.css'

interface EmptyStateProps {
  /** Empty, or not loaded: the server can't be reached. */
  list: RecordList
  /** The form has the main action. */
  isFormFilled: boolean
}

/** Shown while the page has no records. */
export function EmptyState({ list, isFormFilled }: EmptyStateProps) {
  const { focusForm, setDialog } = useView()
  if (list.status !== 'loaded') return <MissingRecords />
  return (
    <div className={styles.empty}>
      <div className={styles.sketch} aria-hidden="true" />
      <p className={styles.title}>{t('No employees yet')}</p>
      <p>{t('Add the first one above, or import a spreadsheet.')}</p>
      <div className={styles.choices}>
        <Button variant={isFormFilled ? 'secondary' : 'primary'} onClick={focusForm}>
          {t('Add the first record')}
        </Button>
        <Button onClick={() => setDialog({ kind: 'import' })}>{t('Import a spreadsheet')}</Button>
      </div>
    </div>
  )
}
