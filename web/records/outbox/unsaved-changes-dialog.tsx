import { useEffect, useSyncExternalStore } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { isUnsaved } from './entry.ts'
import type { Outbox } from './outbox.ts'
import styles from './unsaved-changes-dialog.module.css'

interface LogoutDialogProps {
  outbox: Outbox
  onStay(): void
  /** The person has chosen to, or everything has been saved meanwhile. */
  onLeave(): void
}

/** Asks before logging out loses what is not saved. */
export function LogoutDialog({ outbox, onStay, onLeave }: LogoutDialogProps) {
  const count = useSyncExternalStore(outbox.subscribe, outbox.entries).filter(isUnsaved).length
  const isAllSaved = count === 0

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, whatever else is rendered anew
  useEffect(() => {
    // Leaving flushes what is rendered, which an effect may not.
    if (isAllSaved) queueMicrotask(onLeave)
  }, [isAllSaved])

  return (
    <Dialog
      title={count === 1 ? '1 change is not saved' : `${count.toLocaleString()} changes are not saved`}
      onClose={onStay}
    >
      <p>Whoever comes after you may not see it, so logging out deletes it from this browser.</p>
      <div className={styles.choice}>
        <Button look="primary" data-first onClick={onStay}>
          Stay
        </Button>
        <Button onClick={onLeave}>Log out and lose it</Button>
      </div>
    </Dialog>
  )
}
