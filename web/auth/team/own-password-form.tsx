import { type ReactNode, type SubmitEvent, useRef, useState } from 'react'
import { reportError } from '../../backends/messages.ts'
import { hasCode } from '../../backends/ports.ts'
import { t } from '../../language/translate.ts'
import { readField } from '../../lib/dom.ts'
import { useAction } from '../../lib/use-action.ts'
import { useReveal } from '../../lib/use-reveal.ts'
import { Button } from '../../ui/button.tsx'
import { PasswordInput } from '../../ui/field.tsx'
import { Message, Text } from '../../ui/message.tsx'
import styles from './team-dialog.module.css'

interface OwnPasswordFormProps {
  ownEmail: string
  text: string
  submitLabel: string
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
  const { ownEmail, text, submitLabel, children, onSubmit, onCancel } = props
  const [password, setPassword] = useState('')
  const { isBusy, isSlow, problem, run } = useAction(describeFailure)
  const form = useRef<HTMLFormElement>(null)
  const [opener] = useState(() => document.activeElement as HTMLElement | null)
  const reveal = useReveal(form)

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
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
      <PasswordOwner email={ownEmail} />
      <PasswordInput
        label={t('Your password')}
        name="password"
        autoComplete="current-password"
        required
        autoFocus
        aria-invalid={problem === t('That isn’t your password.')}
        secret={password}
        reveal={reveal}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Message role="alert">{problem}</Message>
      <div className={styles.actions}>
        <Button type="submit" variant="primary" isBusy={isSlow} aria-disabled={isBusy}>
          {submitLabel}
        </Button>
        <Button variant="ghost" onClick={cancel}>
          {t('Cancel')}
        </Button>
      </div>
    </form>
  )
}

function describeFailure(error: unknown): string {
  const message = reportError('Nothing was changed:', error)
  return hasCode(error, 'invalid-credentials') ? t('That isn’t your password.') : message
}
