import { useState } from 'react'
import type { IdentityService } from '../backends/ports.ts'
import { loadFailedMessage, useLazyModule } from '../lib/use-lazy-module.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { useToast } from '../ui/toast.tsx'

const loadDialog = () => import('./password-dialog.tsx')

/** The way to a new password for the account that is signed in. */
export function ChangePasswordButton({ email, identity }: { email: string; identity: IdentityService }) {
  const [isOpen, setIsOpen] = useState(false)
  const { toast, showToast } = useToast()
  const dialog = useLazyModule(loadDialog, isOpen, () => {
    setIsOpen(false)
    showToast(loadFailedMessage)
  })
  return (
    <>
      <Button
        variant="icon"
        aria-label="Change password"
        title="Change password"
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        <Icon name="key-round" />
      </Button>
      {isOpen && dialog && (
        <dialog.PasswordDialog email={email} identity={identity} onClose={() => setIsOpen(false)} />
      )}
      {toast}
    </>
  )
}
