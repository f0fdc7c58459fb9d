import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { useAction } from '../lib/use-action.ts'
import { useReveal } from '../lib/use-reveal.ts'
import buttonStyles from '../ui/button.module.css'
import { Button } from '../ui/button.tsx'
import { Field, PasswordInput } from '../ui/field.tsx'
import { Logo } from '../ui/icon.tsx'
import { Link } from '../ui/link.tsx'
import { Message } from '../ui/message.tsx'
import { pageTitle } from '../ui/messages.ts'
import { ThemeSwitch } from '../ui/theme-switch.tsx'
import { useAccountLocation } from './account-location.ts'
import styles from './account-screen.module.css'
import * as messages from './messages.ts'
import { useStoredUser } from './stored-user.tsx'

interface AccountScreenProps {
  title: string
  submitLabel: string
  /** Announced while submitting takes long. */
  busyMessage: string
  emailAutoComplete?: string
  passwordAutoComplete: 'new-password' | 'current-password'
  initialEmail?: string
  /** The only email that can be used; it may be known later than the screen is shown. */
  fixedEmail?: string | undefined
  statusMessage?: ReactNode
  /** Whether the status message reports a success. */
  isSuccess?: boolean
  /** Whether a signed-in visitor sees a link to /form. */
  showsSignedInUser?: boolean
  alternative: ReactNode
  renderPasswordHelp?(screen: AccountScreenState): ReactNode
  onSubmit(email: string, password: string): Promise<void>
  /** The text of the alert if `onSubmit` rejects. */
  describeFailure(error: unknown): string
}

export interface AccountScreenState {
  /** What has been typed. */
  email: string
  isSubmitting: boolean
  /** Submits something other than the fields. */
  submit(send: () => Promise<void>): void
}

interface CardScreenProps {
  title: string
  /** Selects the element that has the focus. */
  focused: string
  children: ReactNode
}

/** The layout of all screens but /form. */
export function CardScreen({ title, focused, children }: CardScreenProps) {
  const screen = useRef<HTMLElement>(null)

  useEffect(() => {
    document.title = pageTitle(title)
    screen.current?.querySelector<HTMLElement>(focused)?.focus()
  }, [title, focused])

  return (
    <main ref={screen} className={styles.screen}>
      <Logo />
      {children}
      <ThemeSwitch />
    </main>
  )
}

/** The behaviour that the sign-up and the sign-in screen share. */
export function AccountScreen(props: AccountScreenProps) {
  const {
    title,
    submitLabel,
    busyMessage,
    emailAutoComplete = 'username',
    passwordAutoComplete,
    initialEmail = '',
    fixedEmail,
    statusMessage,
    isSuccess = false,
    showsSignedInUser = true,
    alternative,
    renderPasswordHelp,
    onSubmit,
    describeFailure,
  } = props
  const [typedEmail, setEmail] = useState(initialEmail)
  const email = fixedEmail ?? typedEmail
  const [password, setPassword] = useState('')
  const { isBusy: isSubmitting, isSlow, problem, run } = useAction(describeFailure)
  const greetedUser = useGreetedUser(showsSignedInUser, isSubmitting)
  const form = useRef<HTMLFormElement>(null)
  const reveal = useReveal(form)

  function submitFields(event: SubmitEvent) {
    event.preventDefault()
    void run(() => onSubmit(email, password))
  }

  return (
    <CardScreen
      title={title}
      focused={initialEmail || fixedEmail ? '[name=password]' : 'a[href^="/form"], [name=email]'}
    >
      {greetedUser && <Greeting email={greetedUser.email} />}
      <form ref={form} className={styles.card} onSubmit={submitFields} aria-busy={isSubmitting}>
        <h1>{title}</h1>
        <Message role="status" isSuccess={isSuccess}>
          {statusMessage}
        </Message>
        <Field
          label={messages.email}
          type="email"
          name="email"
          autoComplete={emailAutoComplete}
          required
          value={email}
          readOnly={fixedEmail !== undefined}
          onChange={(event) => setEmail(event.target.value)}
        />
        <PasswordInput
          label={messages.password}
          name="password"
          autoComplete={passwordAutoComplete}
          required
          hint={passwordAutoComplete === 'new-password' && messages.passwordRule}
          secret={password}
          reveal={reveal}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Message role="alert">{problem}</Message>
        <Button type="submit" variant="primary" isBusy={isSlow} aria-disabled={isSubmitting}>
          {submitLabel}
        </Button>
        <p role="status" className="visually-hidden">
          {isSlow && busyMessage}
        </p>
        <p className={styles.alternative}>{alternative}</p>
        {renderPasswordHelp && (
          <div className={styles.alternative}>{renderPasswordHelp({ email, isSubmitting, submit: run })}</div>
        )}
      </form>
    </CardScreen>
  )
}

/**
 * The signed-in user, to show the way to /form, or null: no user whose session has ended, and none who is just signing in and
 * goes there anyway.
 */
function useGreetedUser(isEnabled: boolean, isSubmitting: boolean) {
  const user = useStoredUser()
  const { ended } = useAccountLocation()
  const [wasSignedIn] = useState(user !== null)
  return isEnabled && !ended && (wasSignedIn || !isSubmitting) ? user : null
}

function Greeting({ email }: { email: string }) {
  const { search = '' } = useAccountLocation()
  return (
    <div className={styles.greeting}>
      <p>{messages.signedInAs(email)}</p>
      <Link
        to={`/form${search}`}
        className={`${buttonStyles.button} ${buttonStyles.primary} ${styles.openRegister}`}
      >
        {messages.openRegister}
      </Link>
    </div>
  )
}
