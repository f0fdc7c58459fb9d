import type { Employee } from '../../../../contract/employees.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Text } from '../../../ui/message.tsx'
import { useCloseOnEscape } from '../../model/keys/use-page-shortcuts.ts'
import type { Selection } from '../../model/selection/use-selection.ts'
import { useCopyList, useHandOverAll } from '../../model/spreadsheet/copy-list.ts'
import { useView } from '../../model/view.ts'
import * as messages from './messages.ts'
import styles from './selection-bar.module.css'

interface SelectionBarProps {
  selection: Selection
  /** Starts to replace the passwords of these records; null during a run. */
  onStartRun: ((records: readonly Employee[]) => void) | null
  onDelete(records: readonly Employee[]): void
}

/** What can be done to the selected records. */
export function SelectionBar({ selection, onStartRun, onDelete }: SelectionBarProps) {
  const { records, hiddenCount, clear } = selection
  const { setDialog } = useView()
  const { copy, outcome } = useCopyList(records)
  const handOver = useHandOverAll(records)
  useCloseOnEscape(true, clear)
  const count = messages.selected(records.length.toLocaleString())
  const hidden = hiddenCount > 0 && messages.notShown(hiddenCount.toLocaleString())

  /** What has been done to the records ends their selection. */
  const andClear = (act: (records: readonly Employee[]) => void) => () => {
    act(records)
    clear()
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
    <div role="group" aria-label={messages.selectedRecords} className={styles.bar}>
      <p className={styles.count}>
        <Text>
          <strong>{count}</strong> {hidden}
        </Text>
      </p>
      <div className={styles.buttons}>
        {onStartRun && <Button onClick={andClear(onStartRun)}>{messages.changePasswords}</Button>}
        {handOver && <Button onClick={handOver}>{messages.handOverSelected}</Button>}
        <Button onClick={() => setDialog({ kind: 'export', records })}>{messages.exportSelected}</Button>
        <Button onClick={copy}>{messages.copySelected}</Button>
        <Button className={styles.delete} onClick={andClear(onDelete)}>
          {messages.deleteSelected}
        </Button>
      </div>
      <IconButton icon="x" aria-label={messages.clearSelection} onClick={clear} />
      <span role="status" className={styles.outcome}>
        <Text>{outcome}</Text>
      </span>
    </div>
  )
}
