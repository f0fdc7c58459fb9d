import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { useReveal } from '../lib/use-reveal.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Link } from '../ui/link.tsx'
import { Logo } from '../ui/logo.tsx'
import { Message } from '../ui/message.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { ThemeSwitch } from '../ui/theme-switch.tsx'
import styles from './account-screen.module.css'
import { useStoredUser } from './stored-user.ts'

interface AccountScreenProps {
  title: string
  submitLabel: string
  passwordAutoComplete: 'new-password' | 'current-password'
  passwordHint?: string
  initialEmail?: string
  /** Shown above the fields. */
  statusMessage?: string | undefined
  /** Whether the status message reports a success. */
  isSuccess?: boolean
  /** Whether a signed-in visitor sees a link to /form. */
  showsSignedInUser?: boolean
  /** The link to the other account screen. */
  alternative: ReactNode
  /** Returns the message for an alert if it failed, otherwise null. */
  onSubmit(email: string, password: string): Promise<string | null>
}

/** The layout and behaviour that the sign-up and the sign-in screen share. */
export function AccountScreen(props: AccountScreenProps) {
  const {
    title,
    submitLabel,
    passwordAutoComplete,
    passwordHint,
    initialEmail = '',
    statusMessage,
    isSuccess = false,
    showsSignedInUser = true,
    alternative,
    onSubmit,
  } = props
  const [email, setEmail] = useState(initialEmail)
  const [password, setPassword] = useState('')
  const [isSubmitting, setIsSubmitting] = useState(false)
  const [alertMessage, setAlertMessage] = useState<string | null>(null)
  const user = useStoredUser()
  const form = useRef<HTMLFormElement>(null)
  const reveal = useReveal(form)

  useEffect(() => {
    const first = form.current?.elements.namedItem(initialEmail ? 'password' : 'email')
    if (first instanceof HTMLInputElement) first.focus()
  }, [initialEmail])

  useEffect(() => {
    document.title = `${title} · Staffbook`
  }, [title])

  async function submit(event: SubmitEvent) {
    event.preventDefault()
    if (isSubmitting) return
    setIsSubmitting(true)
    setAlertMessage(null)
    setAlertMessage(await onSubmit(email, password))
    setIsSubmitting(false)
  }

  return (
    <main className={styles.screen}>
      <Logo />
      <form ref={form} className={styles.card} onSubmit={submit} aria-busy={isSubmitting}>
        <h1>{title}</h1>
        <Message role="status" isSuccess={isSuccess}>
          {statusMessage}
        </Message>
        <Field
          label="Email"
          type="email"
          name="email"
          autoComplete="username"
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete={passwordAutoComplete}
          required
          hint={passwordHint}
          secret={password}
          reveal={reveal}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Message role="alert">{alertMessage}</Message>
        <Button type="submit" variant="primary" aria-disabled={isSubmitting}>
          {submitLabel}
        </Button>
        <p className={styles.alternative}>{alternative}</p>
      </form>
      {user && showsSignedInUser && (
        <p className={styles.greeting}>
          Signed in as {user.email}. <Link to="/form">Open the register</Link>
        </p>
      )}
      <ThemeSwitch />
    </main>
  )
}
