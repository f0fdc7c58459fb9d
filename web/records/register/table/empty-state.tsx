import { t } from '../../../language/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { useView } from '../../model/view.ts'
import styles from './placeholders.module.css'

/** Shown while there are no records. `isFormFilled`: the form has the main action. */
export function EmptyState({ isFormFilled }: { isFormFilled: boolean }) {
  const { focusForm, setDialog } = useView()
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
