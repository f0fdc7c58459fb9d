import { type RefObject, type SubmitEvent, useRef, useState } from 'react'
import { passwordLength } from '../../contract/accounts.ts'
import { changePasswordHash } from '../../contract/protocol.ts'
import { reportError } from '../backends/messages.ts'
import { type IdentityService, ServiceError } from '../backends/ports.ts'
import { t } from '../language/translate.ts'
import { readField } from '../lib/dom.ts'
import { useAction } from '../lib/use-action.ts'
import { useReveal } from '../lib/use-reveal.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogFooter } from '../ui/dialog.tsx'
import { PasswordInput } from '../ui/field.tsx'
import { Message } from '../ui/message.tsx'
import { CapsLockNotice } from './caps-lock.tsx'
import { describeNewPassword } from './describe-new-password.ts'
import styles from './password-dialog.module.css'
import { rememberOwnPassword } from './remember-own-password.ts'
import { ConnectedNote, canSubmit, OwnProof } from './sso/own-proof.tsx'
import { type OwnConfirmation, useConfirmation } from './sso/use-confirmation.ts'
import { PasswordOwner } from './team/own-password-form.tsx'

type Field = 'password' | 'newPassword'

const mapValues = (read: (name: Field) => string) => ({
  password: read('password'),
  newPassword: read('newPassword'),
})

interface PasswordDialogProps {
  email: string
  identity: IdentityService
  onClose(): void
}

/** Changes the password of the signed-in account. The inputs keep their values if that fails. */
export function PasswordDialog({ email, identity, onClose }: PasswordDialogProps) {
  const form = useRef<HTMLFormElement>(null)
  const change = useChange(form, identity)
  const confirmation = useConfirmation(identity)

  return (
    <Dialog title={t('Change password')} canClose={!change.isBusy} onClose={onClose}>
      <div className={styles.column}>
        <Message role="status" isSuccess>
          {change.isDone && t('Password changed. You’ve been signed out everywhere else.')}
        </Message>
        {change.isDone ? (
          <Button autoFocus onClick={onClose}>
            {t('Close')}
          </Button>
        ) : confirmation?.provider.only ? (
          <p>{t('Passwords and passkeys are switched off here.')}</p>
        ) : (
          <ChangeForm {...{ form, email, identity, change, confirmation }} />
        )}
      </div>
    </Dialog>
  )
}

interface ChangeFormProps extends Omit<PasswordDialogProps, 'onClose'> {
  form: RefObject<HTMLFormElement | null>
  change: ReturnType<typeof useChange>
  confirmation: OwnConfirmation | null
}

function ChangeForm({ form, email, identity, change, confirmation }: ChangeFormProps) {
  const { isBusy, isSlow, problem, values, setValues, rejected, submit, run } = change
  const reveals = { password: useReveal(form), newPassword: useReveal(form) }
  const isProven = canSubmit(confirmation)

  const fieldProps = (name: Field) => ({
    name,
    required: true,
    value: values[name],
    reveal: reveals[name],
    'aria-invalid': rejected === name,
    onChange: ({ target: { form } }: { target: HTMLInputElement }) => {
      if (form) setValues(mapValues((name) => readField(form, name)))
    },
  })

  return (
    <form ref={form} className={styles.column} onSubmit={submit} aria-busy={isBusy}>
      <PasswordOwner email={email} />
      <ConnectedNote confirmation={confirmation} />
      <OwnProof {...{ confirmation, identity, run }} dialog={changePasswordHash}>
        <CapsLockNotice>
          <PasswordInput
            label={t('Current password')}
            revealLabel={t('Show current password')}
            autoComplete="current-password"
            {...fieldProps('password')}
            data-first
          />
        </CapsLockNotice>
      </OwnProof>
      {isProven && (
        <CapsLockNotice>
          <PasswordInput
            label={t('New password')}
            revealLabel={t('Show new password')}
            autoComplete="new-password"
            hint={describeNewPassword(passwordLength)}
            {...fieldProps('newPassword')}
          />
        </CapsLockNotice>
      )}
      <Message role="alert">{problem}</Message>
      {isProven && (
        <DialogFooter>
          <Button type="submit" variant="primary" isBusy={isSlow} aria-disabled={isBusy}>
            {t('Change password')}
          </Button>
        </DialogFooter>
      )}
    </form>
  )
}

/** What is typed, and its sending. `rejected` is the field that the service has refused. */
function useChange(form: RefObject<HTMLFormElement | null>, identity: IdentityService) {
  const [values, setValues] = useState(mapValues(() => ''))
  const [isDone, setDone] = useState(false)
  const [rejected, setRejected] = useState<string | undefined>()
  const action = useAction((error) => {
    const message = reportError('The password was not changed:', error)
    const field = error instanceof ServiceError ? error.field : undefined
    setRejected(field)
    const input = form.current?.elements.namedItem(field ?? '')
    if (input instanceof HTMLInputElement) input.focus()
    return field === 'password' ? t('That isn’t your current password.') : message
  })

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const { currentTarget } = event
    const filled = mapValues((name) => readField(currentTarget, name))
    setValues(filled)
    void action.run(async () => {
      setRejected(undefined)
      await identity.changePassword(filled.password, filled.newPassword)
      void rememberOwnPassword(filled.newPassword)
      setDone(true)
    })
  }

  return { ...action, values, setValues, isDone, rejected, submit }
}
