import { type Ref, startTransition, useImperativeHandle, useState } from 'react'
import type { Employee } from '../../../contract/employees.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { lazyPart, OnDemand } from '../../ui/lazy-part.tsx'
import { loadFailed } from '../../ui/words.ts'
import type { DroppedSource } from '../import/source/parse-source.ts'
import { useFileDrop } from '../import/use-file-drop.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { Rows } from '../search/visible-rows.ts'
import styles from './import-export-buttons.module.css'
import * as words from './words.ts'

export interface ImportExportHandle {
  openImport(): void
}

interface ImportExportButtonsProps {
  /** An export would be incomplete until then, and an import would add records again. */
  isLoaded: boolean
  ref?: Ref<ImportExportHandle>
  book: readonly Employee[]
  /** The rows that match the search, in the order of the table. */
  rows: Rows
  outbox: Outbox
  showToast(message: string): void
}

type OpenDialog = { kind: 'import'; droppedSource: DroppedSource | null } | { kind: 'export' }

const ImportDialog = lazyPart(() =>
  import('../import/import-dialog.tsx').then((module) => module.ImportDialog),
)
const ExportDialog = lazyPart(() =>
  import('../export/export-dialog.tsx').then((module) => module.ExportDialog),
)

/** The buttons that open the import and the export dialog. A file dropped on the page also opens the import dialog. */
export function ImportExportButtons(props: ImportExportButtonsProps) {
  const { ref, isLoaded, book, rows, outbox, showToast } = props
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null)
  const [pastedText, setPastedText] = useState('')
  const close = () => setOpenDialog(null)
  const open = (dialog: OpenDialog) => startTransition(() => setOpenDialog(dialog))

  const openImport = () => open({ kind: 'import', droppedSource: null })
  useImperativeHandle(ref, () => ({ openImport }))

  function handleLoadError() {
    close()
    showToast(loadFailed)
  }

  const isHovering = useFileDrop((source) => {
    const isOtherDialog = document.querySelector('dialog:modal') !== null && openDialog?.kind !== 'import'
    if (!isOtherDialog) open({ kind: 'import', droppedSource: { source } })
  })

  return (
    <>
      <span className={styles.tools}>
        <Button onClick={openImport}>
          <Icon name="upload" />
          <span className={styles.label}>{words.importRecords}</span>
        </Button>
        {book.length > 0 && (
          <Button disabled={!isLoaded} onClick={() => open({ kind: 'export' })}>
            <Icon name="download" />
            <span className={styles.label}>{words.exportRecords}</span>
          </Button>
        )}
      </span>
      {isHovering && <div className={styles.drop}>{words.dropToImport}</div>}
      <OnDemand onLoadError={handleLoadError}>
        {openDialog?.kind === 'import' && (
          <ImportDialog
            isLoaded={isLoaded}
            employees={book}
            outbox={outbox}
            droppedSource={openDialog.droppedSource}
            pastedText={pastedText}
            onPastedTextChange={setPastedText}
            onClose={close}
          />
        )}
        {openDialog?.kind === 'export' && (
          <ExportDialog employees={book} rows={rows} onClose={close} showToast={showToast} />
        )}
      </OnDemand>
    </>
  )
}
