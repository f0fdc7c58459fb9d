import { useState } from 'react'
import { useChoice } from '../../lib/stored-choice.ts'
import { partIsMissing, usePart } from '../../lib/use-part.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { Say } from '../../ui/toast.tsx'
import { letterKeys } from './shortcut-setting.ts'
import styles from './shortcuts-button.module.css'
import { type PageKeys, usePageKeys } from './use-page-shortcuts.ts'

const loadDialog = () => import('./shortcuts-dialog.tsx')

/** Listens to the page's keys, and lists them on request. */
export function Shortcuts({ keys, say }: { keys: Omit<PageKeys, 'help'>; say: Say }) {
  const [letters, setLetters] = useChoice(letterKeys)
  const [isOpen, setIsOpen] = useState(false)
  const dialog = usePart(loadDialog, isOpen, () => {
    setIsOpen(false)
    say(partIsMissing)
  })
  usePageKeys({ ...keys, help: () => setIsOpen(true) })

  return (
    <>
      <Button
        look="icon"
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
          letters={letters === 'on'}
          onLetters={(on) => setLetters(on ? 'on' : 'off')}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  )
}
