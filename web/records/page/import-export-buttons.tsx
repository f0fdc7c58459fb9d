import { useState } from 'react'
import { t } from '../../language/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { lazyPart, OnDemand } from '../../ui/lazy-part.tsx'
import { useFileDrop } from '../features/import/use-file-drop.ts'
import type { RecordList } from '../model/book/sync-employees.ts'
import { useHistory } from '../model/history/history.ts'
import { pageCommands } from '../model/keys/page-commands.ts'
import type { Outbox } from '../model/outbox/outbox.ts'
import type { Rows } from '../model/search/visible-rows.ts'
import { useView } from '../model/view.ts'
import styles from './import-export-buttons.module.css'

interface ImportExportButtonsProps {
  /** Until it is loaded, an export would be incomplete, and an import would add records again. */
  list: RecordList
  /** The rows that match the search, in the order of the table. */
  rows: Rows
  outbox: Outbox
  /** Only the dialogs are shown. */
  isHidden: boolean
}

const ImportDialog = lazyPart(() => import('../features/import/import-dialog.tsx'), 'ImportDialog')
const ExportDialog = lazyPart(() => import('../features/export/export-dialog.tsx'), 'ExportDialog')
const EmergencyDialog = lazyPart(() => import('../features/export/emergency-dialog.tsx'), 'EmergencyDialog')
const HandoverDialog = lazyPart(() => import('../features/handover/handover-dialog.tsx'), 'HandoverDialog')

/** The dialogs about records, and buttons for import and export. A file dropped on the page also opens the import dialog. */
export function ImportExportButtons({ list, rows, outbox, isHidden }: ImportExportButtonsProps) {
  const { employees } = list
  const { openDialog, setDialog } = useView()
  const { service, team } = useHistory()
  const [pastedText, setPastedText] = useState('')
  const close = () => setDialog(null)

  const isHovering = useFileDrop((source, otherFileCount) => {
    const isImport = openDialog?.kind === 'import'
    if (isImport || !document.querySelector('dialog:modal'))
      setDialog({ kind: 'import', source, otherFileCount })
  })

  return (
    <>
      {!isHidden && (
        <span className={styles.tools}>
          <Button onClick={() => setDialog({ kind: 'import' })}>
            <Icon name="upload" />
            <span className={styles.label}>{t(pageCommands.import.label)}</span>
          </Button>
          {employees.length > 0 && (
            <Button disabled={list.status !== 'loaded'} onClick={() => setDialog({ kind: 'export' })}>
              <Icon name="download" />
              <span className={styles.label}>{t(pageCommands.export.label)}</span>
            </Button>
          )}
        </span>
      )}
      {isHovering && <div className={styles.drop}>{t('Drop to import')}</div>}
      <OnDemand onGiveUp={close}>
        {openDialog?.kind === 'import' && (
          <ImportDialog
            list={list}
            outbox={outbox}
            request={openDialog}
            pastedText={pastedText}
            onPastedTextChange={setPastedText}
            onClose={close}
          />
        )}
        {openDialog?.kind === 'export' && (
          <ExportDialog
            employees={openDialog.records ?? employees}
            rows={openDialog.records ? { employees: openDialog.records, indices: null } : rows}
            onClose={close}
          />
        )}
        {openDialog?.kind === 'emergency' && <EmergencyDialog employees={employees} onClose={close} />}
        {openDialog?.kind === 'hand-over' && service && team && (
          <HandoverDialog {...{ employees, service, team }} records={openDialog.records} onClose={close} />
        )}
      </OnDemand>
    </>
  )
}
