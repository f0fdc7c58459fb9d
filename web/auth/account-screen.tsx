import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { useReveal } from '../lib/use-reveal.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Link } from '../ui/link.tsx'
import { Mark } from '../ui/logo.tsx'
import { Message } from '../ui/message.tsx'
import { SecretField } from '../ui/password-input.tsx'
import { ThemeSwitch } from '../ui/theme-switch.tsx'
import styles from './account-screen.module.css'
import { useStoredUser } from './stored-user.ts'

interface AccountScreenProps {
  title: string
  /** The button's word. */
  action: string
  passwordAutoComplete: 'new-password' | 'current-password'
  passwordHint?: string
  initialEmail?: string
  /** What is worth knowing before anything is typed. */
  notice?: string | undefined
  /** The notice tells of a success. */
  isGoodNews?: boolean
  /** Whether a signed-in visitor is shown the way to the register. */
  greets?: boolean
  /** The way to the other account screen. */
  otherWay: ReactNode
  /** Does the work, and answers the words of an alert where it failed. */
  onSubmit(email: string, password: string): Promise<string | null>
}

/** What the sign-up and the sign-in screen have in common: all but their words and their call. */
export function AccountScreen(props: AccountScreenProps) {
  const {
    title,
    action,
    passwordAutoComplete,
    passwordHint,
    initialEmail = '',
    notice,
    isGoodNews = false,
    greets = true,
    otherWay,
    onSubmit,
  } = props
  const [email, setEmail] = useState(initialEmail)
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  const [alert, setAlert] = useState<string | null>(null)
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
    if (busy) return
    setBusy(true)
    setAlert(null)
    setAlert(await onSubmit(email, password))
    setBusy(false)
  }

  return (
    <main className={styles.screen}>
      <Mark />
      <form ref={form} className={styles.card} onSubmit={submit} aria-busy={busy}>
        <h1>{title}</h1>
        <Message role="status" isGood={isGoodNews}>
          {notice}
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
        <SecretField
          label="Password"
          name="password"
          autoComplete={passwordAutoComplete}
          required
          hint={passwordHint}
          secret={password}
          reveal={reveal}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Message role="alert">{alert}</Message>
        <Button type="submit" look="primary" aria-disabled={busy}>
          {action}
        </Button>
        <p className={styles.otherWay}>{otherWay}</p>
      </form>
      {user && greets && (
        <p className={styles.greeting}>
          Signed in as {user.email}. <Link to="/form">Open the register</Link>
        </p>
      )}
      <ThemeSwitch />
    </main>
  )
}
