import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { isUnsaved } from './entry.ts'
import type { Outbox } from './outbox.ts'
import styles from './unsaved-changes-dialog.module.css'

interface UnsavedChangesDialogProps {
  outbox: Outbox
  onCancel(): void
  /** Called when the user confirms, or when everything has been saved in the meantime. */
  onLogout(): void
}

/** Asks for confirmation before a logout deletes unsaved changes. */
export function UnsavedChangesDialog({ outbox, onCancel, onLogout }: UnsavedChangesDialogProps) {
  const count = useSyncExternalStore(outbox.subscribe, outbox.entries).filter(isUnsaved).length
  const isAllSaved = count === 0

  const handleAllSaved = useEffectEvent(onLogout)
  useEffect(() => {
    // Logging out calls flushSync, which React forbids in an effect.
    if (isAllSaved) queueMicrotask(() => handleAllSaved())
  }, [isAllSaved])

  return (
    <Dialog
      title={count === 1 ? '1 change is not saved' : `${count.toLocaleString()} changes are not saved`}
      onClose={onCancel}
    >
      <p>Whoever comes after you may not see it, so logging out deletes it from this browser.</p>
      <div className={styles.choice}>
        <Button variant="primary" data-first onClick={onCancel}>
          Stay
        </Button>
        <Button onClick={onLogout}>Log out and lose it</Button>
      </div>
    </Dialog>
  )
}
