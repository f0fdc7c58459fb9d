import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { notSaved } from '../outbox/messages.ts'
import type { Outbox } from '../outbox/outbox.ts'
import * as messages from './dialog-messages.ts'
import styles from './unsaved-changes-dialog.module.css'

interface UnsavedChangesDialogProps {
  outbox: Outbox
  /** The number of unsaved changes in other tabs when the dialog was opened. */
  initialElsewhere: number
  onCancel(): void
  /** Called when the user confirms, or when everything has been saved in the meantime. */
  onLogout(): void
}

/** Other tabs can't notify this one, so it counts their changes again this often, in ms. */
const recountIntervalMs = 1_000

/** Asks for confirmation before a logout deletes unsaved changes. */
export function UnsavedChangesDialog(props: UnsavedChangesDialogProps) {
  const { outbox, initialElsewhere, onCancel, onLogout } = props
  useSyncExternalStore(outbox.subscribe, outbox.entries)
  const [elsewhere, setElsewhere] = useState(initialElsewhere)
  const count = outbox.countUnsaved() + elsewhere
  const isAllSaved = count === 0

  useEffect(() => {
    const recount = async () => setElsewhere(await outbox.countUnsavedElsewhere())
    const timer = setInterval(recount, recountIntervalMs)
    return () => clearInterval(timer)
  }, [outbox])

  const handleAllSaved = useEffectEvent(onLogout)
  useEffect(() => {
    // Logging out calls flushSync, which React forbids in an effect.
    if (isAllSaved) queueMicrotask(() => handleAllSaved())
  }, [isAllSaved])

  return (
    <Dialog title={notSaved(count)} onClose={onCancel}>
      <p>
        {messages.inOtherTabs(count, elsewhere)} {messages.logoutDeletes(count)}
      </p>
      <div className={styles.choice}>
        <Button variant="primary" data-first onClick={onCancel}>
          {messages.stay}
        </Button>
        <Button onClick={onLogout}>{messages.logOutAndDiscard}</Button>
      </div>
    </Dialog>
  )
}
