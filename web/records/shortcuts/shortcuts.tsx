import { startTransition, useState } from 'react'
import { lazyPart, OnDemand } from '../../ui/lazy-part.tsx'
import { loadFailed } from '../../ui/messages.ts'
import { useToast } from '../../ui/toast.tsx'
import { type PageShortcuts, usePageShortcuts } from './use-page-shortcuts.ts'

const ShortcutsDialog = lazyPart(() =>
  import('./shortcuts-dialog.tsx').then((module) => module.ShortcutsDialog),
)

/** Handles the page-wide shortcuts. One of them opens a dialog that lists them; the account menu opens it, too. */
export function Shortcuts(shortcuts: Omit<PageShortcuts, 'help'>) {
  const showToast = useToast()
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  usePageShortcuts({ ...shortcuts, help: () => startTransition(() => setIsOpen(true)) })

  function handleLoadError() {
    close()
    showToast(loadFailed)
  }

  return <OnDemand onLoadError={handleLoadError}>{isOpen && <ShortcutsDialog onClose={close} />}</OnDemand>
}
