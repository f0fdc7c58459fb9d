import { useState } from 'react'
import { useStoredChoice } from '../../lib/stored-choice.ts'
import { loadFailedMessage, useLazyModule } from '../../lib/use-lazy-module.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { ShowToast } from '../../ui/toast.tsx'
import { letterShortcutsSetting } from './shortcut-setting.ts'
import styles from './shortcuts-button.module.css'
import { type PageShortcuts, usePageShortcuts } from './use-page-shortcuts.ts'

const loadDialog = () => import('./shortcuts-dialog.tsx')

/** Listens to the page's keys, and lists them on request. */
export function ShortcutsButton({
  keys: shortcuts,
  say: showToast,
}: {
  keys: Omit<PageShortcuts, 'help'>
  say: ShowToast
}) {
  const [letterShortcuts, setLetterShortcuts] = useStoredChoice(letterShortcutsSetting)
  const [isOpen, setIsOpen] = useState(false)
  const dialog = useLazyModule(loadDialog, isOpen, () => {
    setIsOpen(false)
    showToast(loadFailedMessage)
  })
  usePageShortcuts({ ...shortcuts, help: () => setIsOpen(true) })

  return (
    <>
      <Button
        variant="icon"
        className={styles.button}
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts"
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        <Icon name="keyboard" />
      </Button>
      {isOpen && dialog && (
        <dialog.ShortcutsDialog
          isLetterShortcutsOn={letterShortcuts === 'on'}
          onLetterShortcutsChange={(on) => setLetterShortcuts(on ? 'on' : 'off')}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  )
}
