import { type SubmitEvent, useRef, useState } from 'react'
import { reportError } from '../backends/messages.ts'
import { type IdentityService, ServiceError } from '../backends/ports.ts'
import { useIsSlow } from '../lib/use-is-slow.ts'
import { useReveal } from '../lib/use-reveal.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { PasswordInput } from '../ui/field.tsx'
import { Message } from '../ui/message.tsx'
import { close } from '../ui/messages.ts'
import * as messages from './dialog-messages.ts'
import { passwordRule } from './messages.ts'
import styles from './password-dialog.module.css'
import { PasswordOwner } from './team/own-password-form.tsx'

interface PasswordDialogProps {
  email: string
  identity: IdentityService
  onClose(): void
}

/** Changes the password of the signed-in account. The inputs keep their values if that fails. */
export function PasswordDialog({ email, identity, onClose }: PasswordDialogProps) {
  const [values, setValues] = useState({ password: '', newPassword: '' })
  const [state, setState] = useState<'typing' | 'busy' | 'done'>('typing')
  const isSlow = useIsSlow(state === 'busy')
  const form = useRef<HTMLFormElement>(null)
  const reveals = { password: useReveal(form), newPassword: useReveal(form) }
  const [formError, setFormError] = useState<{ message: string; field: string | undefined } | null>(null)

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (state === 'busy') return
    const { elements } = event.currentTarget
    setState('busy')
    setFormError(null)
    try {
      await identity.changePassword(values.password, values.newPassword)
      setState('done')
    } catch (error) {
      const message = reportError('The password was not changed:', error)
      const field = error instanceof ServiceError ? error.field : undefined
      setState('typing')
      setFormError({ message: field === 'password' ? messages.wrongPassword : message, field })
      const input = elements.namedItem(field ?? '')
      if (input instanceof HTMLInputElement) input.focus()
    }
  }

  const fieldProps = (name: keyof typeof values) => ({
    name,
    required: true,
    secret: values[name],
    reveal: reveals[name],
    'aria-invalid': formError?.field === name,
    onChange: (event: { target: HTMLInputElement }) => setValues({ ...values, [name]: event.target.value }),
  })

  return (
    <Dialog title={messages.changePassword} canClose={state !== 'busy'} onClose={onClose}>
      <div className={styles.column}>
        <Message role="status" isSuccess>
          {state === 'done' && messages.passwordChanged}
        </Message>
        {state === 'done' ? (
          <Button autoFocus onClick={onClose}>
            {close}
          </Button>
        ) : (
          <form ref={form} className={styles.column} onSubmit={submit} aria-busy={state === 'busy'}>
            <PasswordOwner email={email} />
            <PasswordInput
              label={messages.currentPassword}
              revealLabel={messages.showCurrentPassword}
              autoComplete="current-password"
              {...fieldProps('password')}
              data-first
            />
            <PasswordInput
              label={messages.newPassword}
              revealLabel={messages.showNewPassword}
              autoComplete="new-password"
              hint={passwordRule}
              {...fieldProps('newPassword')}
            />
            <Message role="alert">{formError?.message}</Message>
            <Button type="submit" variant="primary" isBusy={isSlow} aria-disabled={state === 'busy'}>
              {messages.changePassword}
            </Button>
          </form>
        )}
      </div>
    </Dialog>
  )
}
