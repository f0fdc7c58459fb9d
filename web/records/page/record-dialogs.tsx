import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { lazyPart } from '../../ui/lazy-part.tsx'
import type { ImportStep } from '../features/import/use-import.ts'
import type { RecordList } from '../model/book/sync-employees.ts'
import { useHistory } from '../model/history/history.ts'
import type { Outbox } from '../model/outbox/outbox.ts'
import type { Rows } from '../model/search/visible-rows.ts'
import { useOpenDialog, useView } from '../model/view.ts'
import { useDialogEntry } from './use-dialog-entry.ts'

const ImportDialog = lazyPart(() => import('../features/import/import-dialog.tsx'), 'ImportDialog')
const ExportDialog = lazyPart(() => import('../features/export/export-dialog.tsx'), 'ExportDialog')
const EmergencyDialog = lazyPart(() => import('../features/export/emergency-dialog.tsx'), 'EmergencyDialog')
const HandoverDialog = lazyPart(() => import('../features/handover/handover-dialog.tsx'), 'HandoverDialog')

interface RecordDialogsProps {
  list: RecordList
  /** The rows that match the search, in the order of the table. */
  rows: Rows
  outbox: Outbox
  /** Called once this is shown. */
  onLoad(): void
}

/** The dialogs about records. Each is large, and in a chunk of its own. Stays, once one was open, with what an import has kept. */
export function RecordDialogs({ list, rows, outbox, onLoad }: RecordDialogsProps) {
  const { employees } = list
  const { service, team } = useHistory()
  const { setDialog } = useView()
  const openDialog = useOpenDialog()
  const [pastedText, setPastedText] = useState('')
  const { keptImport, forgetImport } = useKeptImport()
  const close = () => setDialog(null)
  const handleLoad = useEffectEvent(onLoad)
  useEffect(() => handleLoad(), [])
  switch (openDialog?.kind) {
    case 'import':
      return (
        <ImportDialog
          list={list}
          outbox={outbox}
          request={openDialog}
          pastedText={pastedText}
          onPastedTextChange={setPastedText}
          kept={keptImport}
          onClose={forgetImport}
        />
      )
    case 'export':
      return (
        <ExportDialog
          employees={openDialog.records ?? employees}
          rows={openDialog.records ? { employees: openDialog.records, indices: null } : rows}
          onClose={close}
        />
      )
    case 'emergency':
      return <EmergencyDialog employees={employees} onClose={close} />
    case 'hand-over':
      return (
        service &&
        team && (
          <HandoverDialog {...{ employees, service, team }} records={openDialog.records} onClose={close} />
        )
      )
    default:
      return null
  }
}

/** The step of the import. Back closes the dialog and keeps it, in memory only; Forward and the command open it again. */
function useKeptImport() {
  const { setDialog } = useView()
  const openDialog = useOpenDialog()
  const kept = useRef<ImportStep>(null)
  useDialogEntry('import', openDialog?.kind === 'import', {
    onBack() {
      // It has to be cancelled first.
      if (kept.current?.step === 'sending') return false
      setDialog(null)
      return true
    },
    onForward: () => setDialog({ kind: 'import' }),
  })
  function forgetImport() {
    kept.current = null
    setDialog(null)
  }
  return { keptImport: kept, forgetImport }
}
