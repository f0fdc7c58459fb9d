import type { Employee } from '../../../../contract/employees.ts'
import { t } from '../../../language/translate.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Text } from '../../../ui/message.tsx'
import { useCloseOnEscape } from '../../model/keys/use-page-shortcuts.ts'
import type { Selection } from '../../model/selection/use-selection.ts'
import { useCopyList, useHandOverAll } from '../../model/spreadsheet/copy-list.ts'
import { useView } from '../../model/view.ts'
import styles from './selection-bar.module.css'

interface SelectionBarProps {
  selection: Selection
  /** Starts to replace the passwords of these records; null during a run. */
  onStartRun: ((records: readonly Employee[]) => void) | null
  onDelete(records: readonly Employee[]): void
}

export function SelectionBar({ selection, onStartRun, onDelete }: SelectionBarProps) {
  const { records, hiddenCount, clear } = selection
  const { setDialog } = useView()
  const { copy, outcome } = useCopyList(records)
  const handOver = useHandOverAll(records)
  useCloseOnEscape(true, clear)

  /** What has been done to the records ends their selection. */
  const andClear = (act: (records: readonly Employee[]) => void) => () => {
    act(records)
    clear()
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
    <div role="group" aria-label={t('Selected records')} className={styles.bar}>
      <p className={styles.count}>
        <Text>
          <strong>{t('{count, plural, other {# selected}}', { count: records.length })}</strong>{' '}
          {hiddenCount > 0 && t('{count, plural, other {# not shown}}', { count: hiddenCount })}
        </Text>
      </p>
      <div className={styles.buttons}>
        {onStartRun && <Button onClick={andClear(onStartRun)}>{t('Change passwords')}</Button>}
        {handOver && <Button onClick={handOver}>{t('Hand over')}</Button>}
        <Button onClick={() => setDialog({ kind: 'export', records })}>{t('Export')}</Button>
        <Button onClick={copy}>{t('Copy')}</Button>
        <Button className={styles.delete} onClick={andClear(onDelete)}>
          {t('Delete')}
        </Button>
      </div>
      <IconButton icon="x" aria-label={t('Clear selection')} onClick={clear} />
      <span role="status" className={styles.outcome}>
        <Text>{outcome}</Text>
      </span>
    </div>
  )
}
