import { useEffect, useSyncExternalStore } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { isUnsaved } from './entry.ts'
import type { Outbox } from './outbox.ts'
import styles from './unsaved-changes-dialog.module.css'

interface UnsavedChangesDialogProps {
  outbox: Outbox
  onCancel(): void
  /** The person has chosen to, or everything has been saved meanwhile. */
  onLogout(): void
}

/** Asks before logging out loses what is not saved. */
export function UnsavedChangesDialog({ outbox, onCancel, onLogout }: UnsavedChangesDialogProps) {
  const count = useSyncExternalStore(outbox.subscribe, outbox.entries).filter(isUnsaved).length
  const isAllSaved = count === 0

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, whatever else is rendered anew
  useEffect(() => {
    // Leaving flushes what is rendered, which an effect may not.
    if (isAllSaved) queueMicrotask(onLogout)
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
