import { type ReactNode, type SubmitEvent, useRef, useState } from 'react'
import { reportError } from '../../backends/messages.ts'
import { hasCode, type IdentityService } from '../../backends/ports.ts'
import { t } from '../../language/translate.ts'
import { readField } from '../../lib/dom.ts'
import { useAction } from '../../lib/use-action.ts'
import { useReveal } from '../../lib/use-reveal.ts'
import { Button } from '../../ui/button.tsx'
import { PasswordInput } from '../../ui/field.tsx'
import { cutName, Message, Text } from '../../ui/message.tsx'
import { CapsLockNotice } from '../caps-lock.tsx'
import { canSubmit, OwnProof } from '../sso/own-proof.tsx'
import { useConfirmation } from '../sso/use-confirmation.ts'
import styles from './team-dialog.module.css'

interface OwnPasswordFormProps {
  identity: IdentityService
  /** The part of the address of /form that opens the dialog of this form; by default *Team*. */
  dialog?: string
  ownEmail: string
  text: string
  submitLabel: string
  isDangerous?: boolean
  children?: ReactNode
  /** If it rejects, the form tells why, and keeps the password. */
  onSubmit(password: string): Promise<void>
  onCancel(): void
}

/** Lets password managers find the account of a password. */
export const PasswordOwner = ({ email }: { email: string }) => (
  <input
    className="visually-hidden"
    name="email"
    autoComplete="username"
    value={email}
    readOnly
    tabIndex={-1}
    aria-hidden
  />
)

/** Asks for the password of whoever is signed in, before something that an open browser alone must not allow. */
export function OwnPasswordForm(props: OwnPasswordFormProps) {
  const { identity, dialog = '#team', ownEmail, text, children, onSubmit, onCancel } = props
  const { submitLabel, isDangerous } = props
  const confirmation = useConfirmation(identity)
  const [password, setPassword] = useState('')
  const { isBusy, isSlow, problem, run } = useAction(describeFailure)
  const form = useRef<HTMLFormElement>(null)
  const [opener] = useState(() => document.activeElement as HTMLElement | null)
  const reveal = useReveal(form)

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!canSubmit(confirmation)) return
    const password = readField(event.currentTarget, 'password')
    setPassword(password)
    if (isBusy || (await run(() => onSubmit(password)))) return
    form.current?.querySelector<HTMLInputElement>('[name=password]')?.focus()
  }

  function cancel() {
    opener?.focus()
    onCancel()
  }

  return (
    <form ref={form} className={styles.panel} onSubmit={submit} aria-busy={isBusy}>
      <p>
        <Text>{text}</Text>
      </p>
      {children}
      <OwnProof {...{ confirmation, identity, dialog, run }}>
        <PasswordOwner email={ownEmail} />
        <CapsLockNotice>
          <PasswordInput
            label={t('Your password')}
            name="password"
            autoComplete="current-password"
            required
            autoFocus
            aria-invalid={problem === t('That isn’t your password.')}
            value={password}
            reveal={reveal}
            onChange={(event) => setPassword(event.target.value)}
          />
        </CapsLockNotice>
      </OwnProof>
      <Message role="alert">{problem}</Message>
      <div className={styles.actions}>
        {canSubmit(confirmation) && (
          <SubmitButton {...{ isDangerous, isBusy, isSlow }}>{submitLabel}</SubmitButton>
        )}
        <Button variant="ghost" onClick={cancel}>
          {t('Cancel')}
        </Button>
      </div>
    </form>
  )
}

interface SubmitButtonProps {
  isDangerous: boolean | undefined
  isBusy: boolean
  isSlow: boolean
  children: string
}

const SubmitButton = ({ isDangerous, isBusy, isSlow, children }: SubmitButtonProps) => (
  <Button
    type="submit"
    variant="primary"
    className={isDangerous ? styles.dangerous : undefined}
    isBusy={isSlow}
    aria-disabled={isBusy}
  >
    <Text renderValue={cutName}>{children}</Text>
  </Button>
)

function describeFailure(error: unknown): string {
  const message = reportError('Nothing was changed:', error)
  if (hasCode(error, 'confirmation-needed')) return t('Too much time has passed. Please confirm again.')
  return hasCode(error, 'invalid-credentials') ? t('That isn’t your password.') : message
}
