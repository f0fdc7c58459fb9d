import { startTransition, useState } from 'react'
import type { IdentityService } from '../backends/ports.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { lazyPart, loadFailedMessage, OnDemand } from '../ui/lazy-part.tsx'
import { useToast } from '../ui/toast.tsx'

const PasswordDialog = lazyPart(() => import('./password-dialog.tsx').then((module) => module.PasswordDialog))

/** The button that opens the dialog to change the password of the signed-in account. */
export function ChangePasswordButton({ email, identity }: { email: string; identity: IdentityService }) {
  const [isOpen, setIsOpen] = useState(false)
  const { toast, showToast } = useToast()

  function handleLoadError() {
    setIsOpen(false)
    showToast(loadFailedMessage)
  }

  return (
    <>
      <Button
        variant="icon"
        aria-label="Change password"
        title="Change password"
        aria-haspopup="dialog"
        onClick={() => startTransition(() => setIsOpen(true))}
      >
        <Icon name="key-round" />
      </Button>
      <OnDemand onLoadError={handleLoadError}>
        {isOpen && <PasswordDialog email={email} identity={identity} onClose={() => setIsOpen(false)} />}
      </OnDemand>
      {toast}
    </>
  )
}
