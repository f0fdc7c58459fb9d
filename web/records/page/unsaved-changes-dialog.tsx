import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { t } from '../../language/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Text } from '../../ui/message.tsx'
import type { Outbox } from '../model/outbox/outbox.ts'
import styles from './unsaved-changes-dialog.module.css'

/** How many of the unsaved changes are in other tabs. */
function inOtherTabs(total: number, count: number): string {
  if (count === 0) return ''
  return count === total
    ? t('{count, plural, one {It is in another tab.} other {They are in other tabs.}}', { count })
    : t('{count, plural, one {# of them is in another tab.} other {# of them are in other tabs.}}', { count })
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
    <Dialog
      title={t('{count, plural, one {# change is not saved} other {# changes are not saved}}', { count })}
      onClose={onCancel}
    >
      <p>
        <Text>
          {inOtherTabs(count, elsewhere)}{' '}
          {t(
            '{count, plural, one {Logging out deletes it from this browser, so that nobody else can read it.} other {Logging out deletes them from this browser, so that nobody else can read them.}}',
            { count },
          )}
        </Text>
      </p>
      <div className={styles.choice}>
        <Button variant="primary" data-first onClick={onCancel}>
          {t('Stay logged in')}
        </Button>
        <Button className={styles.discard} onClick={onLogout}>
          {t('Log out and discard')}
        </Button>
      </div>
    </Dialog>
  )
}
