import { useState } from 'react'
import type { IdentityService } from '../backends/ports.ts'
import { partIsMissing, usePart } from '../lib/use-part.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { useNotice } from '../ui/toast.tsx'

const loadDialog = () => import('./password-dialog.tsx')

/** The way to a new password for the account that is signed in. */
export function ChangePassword({ email, identity }: { email: string; identity: IdentityService }) {
  const [isOpen, setIsOpen] = useState(false)
  const { notice, say } = useNotice()
  const dialog = usePart(loadDialog, isOpen, () => {
    setIsOpen(false)
    say(partIsMissing)
  })
  return (
    <>
      <Button
        look="icon"
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
      {notice}
    </>
  )
}
