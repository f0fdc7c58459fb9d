import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Text } from '../../ui/message.tsx'
import { notSaved } from '../model/outbox/messages.ts'
import type { Outbox } from '../model/outbox/outbox.ts'
import styles from './unsaved-changes-dialog.module.css'

const logoutDeletes = (count: number) =>
  `Logging out deletes ${count === 1 ? 'it' : 'them'} from this browser, so that nobody else can read ${count === 1 ? 'it' : 'them'}.`
const stay = 'Stay logged in'
const logOutAndDiscard = 'Log out and discard'
/** How many of the unsaved changes are in other tabs. */
function inOtherTabs(count: number, elsewhere: number): string {
  if (elsewhere === 0) return ''
  if (elsewhere === count) return count === 1 ? 'It is in another tab.' : 'They are in other tabs.'
  return elsewhere === 1
    ? '1 of them is in another tab.'
    : `${elsewhere.toLocaleString()} of them are in other tabs.`
}

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
        <Text>
          {inOtherTabs(count, elsewhere)} {logoutDeletes(count)}
        </Text>
      </p>
      <div className={styles.choice}>
        <Button variant="primary" data-first onClick={onCancel}>
          {stay}
        </Button>
        <Button onClick={onLogout}>{logOutAndDiscard}</Button>
      </div>
    </Dialog>
  )
}
