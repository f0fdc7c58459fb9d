import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { passwordLength } from '../../contract/accounts.ts'
import { takeEmail } from '../../contract/employees.ts'
import { t } from '../language/translate.ts'
import { listen, readField } from '../lib/dom.ts'
import { isolate } from '../lib/isolate.ts'
import { tabStorage } from '../lib/stored-state.ts'
import { useAction } from '../lib/use-action.ts'
import { useReveal } from '../lib/use-reveal.ts'
import buttonStyles from '../ui/button.module.css'
import { Button } from '../ui/button.tsx'
import { Field, PasswordInput } from '../ui/field.tsx'
import { Logo } from '../ui/icon.tsx'
import { LanguageSwitch } from '../ui/language-switch.tsx'
import { Link } from '../ui/link.tsx'
import { Message, Text } from '../ui/message.tsx'
import { ThemeSwitch } from '../ui/theme-switch.tsx'
import { useAccountLocation } from './account-location.ts'
import styles from './account-screen.module.css'
import { CapsLockNotice } from './caps-lock.tsx'
import { describeNewPassword } from './describe-new-password.ts'
import { useStoredUser } from './stored-user.tsx'

export interface CardScreenProps {
  title: string
  /** Selects the element that has the focus. */
  focused: string
  /** Hides the choice of a language, which reloads the page: what the screen shows would be lost. */
  isOnce?: boolean
  children: ReactNode
}

/** The layout of all screens but /form. */
export function CardScreen({ title, focused, isOnce, children }: CardScreenProps) {
  const screen = useRef<HTMLElement>(null)

  useEffect(() => {
    document.title = `${title} · Staffbook`
    screen.current?.querySelector<HTMLElement>(focused)?.focus()
  }, [title, focused])

  return (
    <main ref={screen} className={styles.screen}>
      <div className={styles.settings}>
        {!isOnce && <LanguageSwitch />}
        <ThemeSwitch />
      </div>
      <Logo />
      {/* web/inline/shell.html has it too. */}
      <p className={styles.tagline}>{t('Your team’s employees and their logins')}</p>
      {children}
    </main>
  )
}

/** The session storage key of what was typed, from a reload of an account screen to its next first render. */
const typedEmailKey = 'typed-email'

interface AccountFormOptions {
  initialEmail?: string
  /** The only email that can be used; it may be known later than the screen is shown. */
  fixedEmail?: string | undefined
  onSubmit(email: string, password: string): Promise<void>
  /** The text of the alert if `onSubmit` rejects, or `run`. */
  describeFailure(error: unknown, password: string): string
}

/** The fields that the service refuses with these codes. */
const refusedFields: Record<string, readonly string[] | undefined> = {
  'invalid-email': ['email'],
  'account-exists': ['email'],
  'weak-password': ['password'],
  'invalid-credentials': ['email', 'password'],
}

export type AccountForm = ReturnType<typeof useAccountForm>

/** The input of an account screen. `submit` sends it; `run` sends something else, such as a passkey. */
export function useAccountForm(options: AccountFormOptions) {
  const { initialEmail = '', fixedEmail, onSubmit, describeFailure } = options
  const [keptEmail] = useState(() => tabStorage.read(typedEmailKey) || initialEmail)
  const [typedEmail, setEmail] = useState(keptEmail)
  const [password, setPassword] = useState('')
  const [refused, setRefused] = useState<readonly string[]>()
  const [hasFailed, setFailed] = useState(false)
  const sentPassword = useRef('')
  const action = useAction((error) => {
    setFailed(true)
    return describeFailure(error, sentPassword.current)
  })
  const email = fixedEmail ?? typedEmail

  // The choice of a language reloads the page. The password is not kept: the browser could write it to disk.
  useEffect(() => {
    tabStorage.write(typedEmailKey, null)
    return listen(window, 'pagehide', () => tabStorage.write(typedEmailKey, typedEmail))
  }, [typedEmail])

  function readFields(fields: HTMLFormElement) {
    const email = fixedEmail ?? takeEmail(readField(fields, 'email'))
    const password = readField(fields, 'password')
    setEmail(email)
    setPassword(password)
    setRefused(undefined)
    return [email, password] as const
  }

  return {
    ...action,
    email,
    password,
    hasFailed,
    isFixed: fixedEmail !== undefined,
    /** Whether the service has refused what is in a field, until something is typed. */
    isRefused: (field: string) => refused?.includes(field) === true,
    focused: keptEmail || fixedEmail ? '[name=password]' : 'a[href*="/form"], [name=email]',
    read: readFields,
    submit(fields: HTMLFormElement) {
      const [email, password] = readFields(fields)
      sentPassword.current = password
      return action.run(() =>
        onSubmit(email, password).catch((error) => {
          setRefused(refusedFields[error.code])
          throw error
        }),
      )
    },
  }
}

export interface AccountScreenProps {
  texts: { title: string; submit: string; busy: string }
  form: AccountForm
  autoComplete: { email?: string; password: 'new-password' | 'current-password' }
  status: { text: ReactNode; isSuccess?: boolean }
  /** Whether a signed-in visitor sees a link to /form. */
  showsSignedInUser?: boolean
  children: ReactNode
}

export function AccountScreen(props: AccountScreenProps) {
  const { texts, form, autoComplete, status, showsSignedInUser = true, children } = props
  const { isBusy, isSlow } = form
  const greetedUser = useGreetedUser(showsSignedInUser, isBusy)
  const formRef = useRef<HTMLFormElement>(null)
  const reveal = useReveal(formRef)
  const read = () => formRef.current && form.read(formRef.current)

  function submit(event: SubmitEvent) {
    event.preventDefault()
    void form.submit(event.currentTarget as HTMLFormElement)
  }

  return (
    <CardScreen title={texts.title} focused={form.focused}>
      {greetedUser && <Greeting email={greetedUser.email} />}
      <form ref={formRef} className={styles.card} onInput={read} onSubmit={submit} aria-busy={isBusy}>
        <h1>{texts.title}</h1>
        <Message role="status" isSuccess={status.isSuccess ?? false}>
          {/* Once there was a problem, a success is no news any more. An alert says nothing twice. */}
          {!(status.isSuccess && form.hasFailed) && status.text !== form.problem && status.text}
        </Message>
        <Field
          label={t('Email')}
          type="email"
          name="email"
          autoComplete={autoComplete.email ?? 'username'}
          required
          value={form.email}
          readOnly={form.isFixed}
          aria-invalid={form.isRefused('email')}
          onChange={read}
        />
        <CapsLockNotice>
          <PasswordInput
            label={t('Password')}
            name="password"
            autoComplete={autoComplete.password}
            required
            hint={describeHint(autoComplete.password, form)}
            aria-invalid={form.isRefused('password')}
            value={form.password}
            reveal={reveal}
            onChange={read}
          />
        </CapsLockNotice>
        <Message role="alert">{form.problem}</Message>
        <Button type="submit" variant="primary" isBusy={isSlow} aria-disabled={isBusy}>
          {texts.submit}
        </Button>
        <p role="status" className="visually-hidden">
          {isSlow && texts.busy}
        </p>
        {children}
      </form>
    </CardScreen>
  )
}

function describeHint(kind: AccountScreenProps['autoComplete']['password'], form: AccountForm) {
  // A refusal says it.
  return kind === 'new-password' && !form.isRefused('password') && describeNewPassword(passwordLength)
}

/** The signed-in user, to show the way to /form: none whose session has ended, or who is just signing in. */
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
      <p>
        <Text>{t('Signed in as {email}', { email: isolate(email) })}</Text>
      </p>
      <Link
        to={`/form${search}`}
        className={`${buttonStyles.button} ${buttonStyles.primary} ${styles.openRegister}`}
      >
        {t('Open the register')}
      </Link>
    </div>
  )
}
