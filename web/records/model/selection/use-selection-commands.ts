import { t } from '../../../language/translate.ts'
import { listEmployees } from '../search/visible-rows.ts'
import { copyEmails, useCopyList, useHandOverAll } from '../spreadsheet/copy-list.ts'
import { useView } from '../view.ts'
import type { Selection } from './use-selection.ts'

interface SelectionCommand {
  label: string
  /** Null if it is not possible now. */
  run: (() => void) | null
}

/** What the page does with the selected records. Each of them ends the selection. */
export interface SelectionActions {
  /** Starts to replace their passwords; null during a run. */
  startRun: (() => void) | null
  remove(): void
}

/** What can be done with the selected records. The bar above the table and the command menu come from it, both loaded on demand. */
export function useSelectionCommands(selection: Selection, { startRun, remove }: SelectionActions) {
  const { records, clear, setOutcome } = selection
  const { setDialog, focus } = useView()
  const copy = useCopyList(records, setOutcome)
  const handOver = useHandOverAll(records)

  /** The button that has the focus disappears with the selection. */
  function removeAndFocus() {
    const successor = findSuccessor(selection)
    remove()
    focus(successor ? { on: 'row', id: successor, ifHidden: 'wait' } : { on: 'fallback' })
  }

  return {
    changePasswords: { label: t('Change passwords'), run: startRun },
    handOver: { label: t('Hand over'), run: handOver },
    copyEmails: { label: t('Copy emails'), run: async () => setOutcome(await copyEmails(records)) },
    export: { label: t('Export'), run: () => setDialog({ kind: 'export', records }) },
    copy: { label: t('Copy with passwords'), run: () => void copy() },
    delete: { label: t('Delete'), run: removeAndFocus },
    clear: { label: t('Clear selection'), run: clear },
  } satisfies Record<string, SelectionCommand>
}

/**
 * The id of the row that takes the place of the first selected one, or else of the row before that; where all rows are selected, the
 * first, whose focus moves on when it disappears. Undefined without rows.
 */
function findSuccessor({ rows, ids }: Selection): string | undefined {
  const shown = listEmployees(rows)
  const first = shown.findIndex(({ id }) => ids.has(id))
  const next = shown.find(({ id }, index) => index > first && !ids.has(id))
  return (next ?? shown[first - 1] ?? shown[0])?.id
}
