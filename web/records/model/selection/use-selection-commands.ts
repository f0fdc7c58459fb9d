import { useState } from 'react'
import type { Employee } from '../../../../contract/employees.ts'
import { t } from '../../../language/translate.ts'
import { useCopyList, useHandOverAll } from '../spreadsheet/copy-list.ts'
import { useView } from '../view.ts'
import type { Selection } from './use-selection.ts'

interface SelectionCommand {
  label: string
  /** Null if it is not possible now. */
  run: (() => void) | null
}

interface SelectionCommandOptions {
  /** Starts to replace the passwords of these records; null during a run. */
  onStartRun: ((records: readonly Employee[]) => void) | null
  onDelete(records: readonly Employee[]): void
}

export type SelectionCommands = ReturnType<typeof useSelectionCommands>

/** What can be done with the selected records. The bar above the table and the command menu come from it. */
export function useSelectionCommands(
  selection: Selection,
  { onStartRun, onDelete }: SelectionCommandOptions,
) {
  const { records, ids, clear } = selection
  const { setDialog } = useView()
  const { copy, outcome } = useCopyList(records)
  const handOver = useHandOverAll(records)
  /** The selection that was copied: the outcome says nothing of another one. */
  const [copiedIds, setCopiedIds] = useState<ReadonlySet<string>>()

  /** What has been done to the records ends their selection. */
  const andClear = (act: (records: readonly Employee[]) => void) => () => {
    act(records)
    clear()
  }

  async function copySelected() {
    await copy()
    setCopiedIds(ids)
  }

  const commands = {
    changePasswords: { label: t('Change passwords'), run: onStartRun && andClear(onStartRun) },
    handOver: { label: t('Hand over'), run: handOver },
    export: { label: t('Export'), run: () => setDialog({ kind: 'export', records }) },
    copy: { label: t('Copy'), run: () => void copySelected() },
    delete: { label: t('Delete'), run: andClear(onDelete) },
    clear: { label: t('Clear selection'), run: clear },
  } satisfies Record<string, SelectionCommand>

  return { count: records.length, commands, outcome: copiedIds === ids ? outcome : '' }
}
