import { useEffect, useState } from 'react'
import { t } from '../../language/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { lazyPart, OnDemand } from '../../ui/lazy-part.tsx'
import { useFileDrop } from '../features/import/use-file-drop.ts'
import type { RecordList } from '../model/book/sync-employees.ts'
import { pageCommands } from '../model/keys/page-commands.ts'
import type { Outbox } from '../model/outbox/outbox.ts'
import type { Rows } from '../model/search/visible-rows.ts'
import { recordDialogs, useOpenDialog, useView } from '../model/view.ts'
import styles from './import-export-buttons.module.css'

interface ImportExportButtonsProps {
  /** Until it is loaded, an export would be incomplete, and an import would add records again. */
  list: RecordList
  /** The rows that match the search, in the order of the table. */
  rows: Rows
  outbox: Outbox
}

const RecordDialogs = lazyPart(() => import('./record-dialogs.tsx'), 'RecordDialogs')

/** The dialogs about records, and buttons for import and export. A file dropped on the page also opens the import dialog. */
export function ImportExportButtons({ list, rows, outbox }: ImportExportButtonsProps) {
  const { setDialog } = useView()
  const openDialog = useOpenDialog()
  const [hasLoaded, setHasLoaded] = useState(false)
  const isOpen = openDialog !== null && recordDialogs.includes(openDialog.kind)

  const isHovering = useFileDrop((source, otherFileCount) => {
    const isImport = openDialog?.kind === 'import'
    if (isImport || !document.querySelector('dialog:modal'))
      setDialog({ kind: 'import', source, otherFileCount })
  })

  // Dialogs show records, colleagues and links. An import stays: it holds what the user has chosen.
  const mustClose = list.status === 'closed' && openDialog?.kind !== 'import'
  useEffect(() => {
    if (mustClose) setDialog(null)
  }, [mustClose, setDialog])

  function giveUp() {
    setHasLoaded(false)
    setDialog(null)
  }

  return (
    <>
      <span className={styles.tools}>
        <Button onClick={() => setDialog({ kind: 'import' })}>
          <Icon name="upload" />
          <span className={styles.label}>{t(pageCommands.import.label)}</span>
        </Button>
        <Button disabled={list.status !== 'loaded'} onClick={() => setDialog({ kind: 'export' })}>
          <Icon name="download" />
          <span className={styles.label}>{t(pageCommands.export.label)}</span>
        </Button>
      </span>
      {isHovering && <div className={styles.drop}>{t('Drop to import')}</div>}
      <OnDemand onGiveUp={giveUp}>
        {(isOpen || hasLoaded) && (
          <RecordDialogs list={list} rows={rows} outbox={outbox} onLoad={() => setHasLoaded(true)} />
        )}
      </OnDemand>
    </>
  )
}
