import { startTransition, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { lazyPart, OnDemand } from '../../ui/lazy-part.tsx'
import type { ShowToast } from '../../ui/toast.tsx'
import { loadFailed } from '../../ui/words.ts'
import styles from './shortcuts-button.module.css'
import { type PageShortcuts, usePageShortcuts } from './use-page-shortcuts.ts'
import { title } from './words.ts'

const ShortcutsDialog = lazyPart(() =>
  import('./shortcuts-dialog.tsx').then((module) => module.ShortcutsDialog),
)

/** Handles the page-wide shortcuts. The button opens a dialog that lists them. */
export function ShortcutsButton({
  shortcuts,
  showToast,
}: {
  shortcuts: Omit<PageShortcuts, 'help'>
  showToast: ShowToast
}) {
  const [isOpen, setIsOpen] = useState(false)
  const open = () => startTransition(() => setIsOpen(true))
  const close = () => setIsOpen(false)
  usePageShortcuts({ ...shortcuts, help: open })

  function handleLoadError() {
    close()
    showToast(loadFailed)
  }

  return (
    <>
      <Button
        variant="icon"
        className={styles.button}
        aria-label={title}
        aria-haspopup="dialog"
        onClick={open}
      >
        <Icon name="keyboard" />
      </Button>
      <OnDemand onLoadError={handleLoadError}>{isOpen && <ShortcutsDialog onClose={close} />}</OnDemand>
    </>
  )
}
