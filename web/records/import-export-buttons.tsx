import { type ComponentProps, type ComponentType, useState } from 'react'
import type { Employee } from '../../contract/employees.ts'
import { partIsMissing } from '../lib/use-part.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import type { ExportDialog } from './export/export-dialog.tsx'
import type { ImportDialog } from './import/import-dialog.tsx'
import type { Incoming, Source } from './import/open-source.ts'
import { useIncoming } from './import/use-file-drop.ts'
import styles from './import-export-buttons.module.css'
import type { Outbox } from './outbox/outbox.ts'
import type { Rows } from './search/visible-rows.ts'

interface TransferToolsProps {
  book: readonly Employee[]
  /** What is looked at, in its order. */
  rows: Rows
  outbox: Outbox
  say(words: string): void
}

type Opened =
  | { kind: 'import'; Dialog: ComponentType<ComponentProps<typeof ImportDialog>>; incoming: Incoming | null }
  | { kind: 'export'; Dialog: ComponentType<ComponentProps<typeof ExportDialog>> }

/** Import and export; what they open is loaded when it is first wanted. */
export function TransferTools({ book, rows, outbox, say }: TransferToolsProps) {
  const [opened, setOpened] = useState<Opened | null>(null)
  const [typed, setTyped] = useState('')
  const close = () => setOpened(null)
  const failed = (error: unknown) => {
    console.warn('A dialog could not be loaded:', error)
    say(partIsMissing)
  }

  const openImport = (source: Source | null) =>
    import('./import/import-dialog.tsx')
      .then(({ ImportDialog }) => {
        const incoming = source === null ? null : { source }
        setOpened({ kind: 'import', Dialog: ImportDialog, incoming })
      })
      .catch(failed)
  const openExport = () =>
    import('./export/export-dialog.tsx')
      .then(({ ExportDialog }) => setOpened({ kind: 'export', Dialog: ExportDialog }))
      .catch(failed)
  const isHovering = useIncoming((source) => {
    const isOtherDialog = document.querySelector('dialog:modal') !== null && opened?.kind !== 'import'
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
      {opened?.kind === 'import' && (
        <opened.Dialog
          book={book}
          outbox={outbox}
          incoming={opened.incoming}
          typed={typed}
          onTyped={setTyped}
          onClose={close}
        />
      )}
      {opened?.kind === 'export' && <opened.Dialog book={book} rows={rows} onClose={close} say={say} />}
    </>
  )
}
