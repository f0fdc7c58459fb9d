import { type ComponentProps, type ComponentType, useState } from 'react'
import type { Employee } from '../../contract/employees.ts'
import { loadFailedMessage } from '../lib/use-lazy-module.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import type { ExportDialog } from './export/export-dialog.tsx'
import type { ImportDialog } from './import/import-dialog.tsx'
import type { DroppedSource, ImportSource } from './import/parse-source.ts'
import { useFileDrop } from './import/use-file-drop.ts'
import styles from './import-export-buttons.module.css'
import type { Outbox } from './outbox/outbox.ts'
import type { Rows } from './search/visible-rows.ts'

interface ImportExportButtonsProps {
  book: readonly Employee[]
  /** What is looked at, in its order. */
  rows: Rows
  outbox: Outbox
  showToast(words: string): void
}

type OpenDialog =
  | {
      kind: 'import'
      Dialog: ComponentType<ComponentProps<typeof ImportDialog>>
      incoming: DroppedSource | null
    }
  | { kind: 'export'; Dialog: ComponentType<ComponentProps<typeof ExportDialog>> }

/** Import and export; what they open is loaded when it is first wanted. */
export function ImportExportButtons({ book, rows, outbox, showToast }: ImportExportButtonsProps) {
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null)
  const [pastedText, setPastedText] = useState('')
  const close = () => setOpenDialog(null)
  const handleLoadError = (error: unknown) => {
    console.warn('A dialog could not be loaded:', error)
    showToast(loadFailedMessage)
  }

  const openImport = (source: ImportSource | null) =>
    import('./import/import-dialog.tsx')
      .then(({ ImportDialog }) => {
        const incoming = source === null ? null : { source }
        setOpenDialog({ kind: 'import', Dialog: ImportDialog, incoming })
      })
      .catch(handleLoadError)
  const openExport = () =>
    import('./export/export-dialog.tsx')
      .then(({ ExportDialog }) => setOpenDialog({ kind: 'export', Dialog: ExportDialog }))
      .catch(handleLoadError)
  const isHovering = useFileDrop((source) => {
    const isOtherDialog = document.querySelector('dialog:modal') !== null && openDialog?.kind !== 'import'
    if (!isOtherDialog) void openImport(source)
  })

  return (
    <>
      <span className={styles.tools}>
        <Button onClick={() => void openImport(null)}>
          <Icon name="upload" />
          Import
        </Button>
        {book.length > 0 && (
          <Button onClick={() => void openExport()}>
            <Icon name="download" />
            Export
          </Button>
        )}
      </span>
      {isHovering && <div className={styles.drop}>Drop to import</div>}
      {openDialog?.kind === 'import' && (
        <openDialog.Dialog
          employees={book}
          outbox={outbox}
          droppedSource={openDialog.incoming}
          pastedText={pastedText}
          onPastedTextChange={setPastedText}
          onClose={close}
        />
      )}
      {openDialog?.kind === 'export' && (
        <openDialog.Dialog employees={book} rows={rows} onClose={close} showToast={showToast} />
      )}
    </>
  )
}
