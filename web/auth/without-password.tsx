import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { SignedIn } from '../../contract/accounts.ts'
import { reportError } from '../backends/messages.ts'
import { hasCode, type IdentityService, type PasskeyService } from '../backends/ports.ts'
import { t } from '../language/translate.ts'
import { isolate } from '../lib/isolate.ts'
import { whenIdle } from '../lib/run-when-idle.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Text } from '../ui/message.tsx'
import styles from './account-screen.module.css'
import type { AccountForm } from './account-screen.tsx'
import { usePolicy } from './sign-up-form.tsx'

const SsoSignIn = lazyPart(() => import('./sso/sso-sign-in.tsx'), 'SsoSignIn')
const SsoAnswer = lazyPart(() => import('./sso/sso-answer.tsx'), 'SsoAnswer')

interface WithoutPasswordProps {
  form: AccountForm
  identity: IdentityService
  /** See `useSsoAnswer`. */
  answer: string | null
  /** Waits for the sign-in, and opens /form. */
  enter(signIn: Promise<SignedIn>): Promise<void>
}

/** A button that sends a mail, and those for passkeys and single sign-on, if the service has them. */
export function WithoutPassword({ form, identity, answer, enter }: WithoutPasswordProps) {
  const { sendPasswordReset, passkeys, sso } = identity
  const provider = usePolicy(identity)?.sso
  return (
    <>
      {sendPasswordReset && <ForgottenPassword email={form.email} sendPasswordReset={sendPasswordReset} />}
      {passkeys && !provider?.only && <PasskeySignIn form={form} passkeys={passkeys} enter={enter} />}
      {sso && provider && <SsoSignIn provider={provider} sso={sso} form={form} />}
      {sso && answer && <SsoAnswer answer={answer} sso={sso} form={form} enter={enter} />}
    </>
  )
}

interface PasskeySignInProps extends Omit<WithoutPasswordProps, 'identity' | 'answer'> {
  passkeys: PasskeyService
}

/**
 * Lets the browser suggest passkeys in the email field, except while something is being submitted, and offers a button for those
 * who do not see them there. Shows nothing where there are no passkeys.
 */
function PasskeySignIn({ form, passkeys, enter }: PasskeySignInProps) {
  const { isBusy, run } = form
  const [isOffered, setOffered] = useState(false)
  const [inDialog, setInDialog] = useState(false)
  const wasChosen = useRef(false)

  async function choose(signal: AbortSignal) {
    // An authenticator that agrees by itself would try a refused passkey again and again.
    if (!inDialog) await (wasChosen.current ? waitForInput(signal) : whenIdle())
    if (signal.aborted) return null
    return passkeys.choose({ inDialog, signal, onOffered: () => setOffered(true) })
  }

  const signIn = useEffectEvent(async (signal: AbortSignal): Promise<void> => {
    const choice = await choose(signal).catch((error) => {
      const retry = () => void signIn(signal)
      if (hasCode(error, 'offline')) addEventListener('online', retry, { once: true, signal })
      // Nobody has asked for suggestions, or misses them.
      const isQuiet = !inDialog || hasCode(error, 'cancelled')
      return isQuiet ? null : () => Promise.reject(error)
    })
    if (signal.aborted) return
    setInDialog(false)
    wasChosen.current = choice !== null
    if (choice) void run(() => enter(choice()))
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: chooses again elsewhere
  useEffect(() => {
    if (isBusy) return setInDialog(false)
    const choosing = new AbortController()
    void signIn(choosing.signal)
    return () => choosing.abort()
  }, [isBusy, inDialog])

  return (
    isOffered && (
      <p className={styles.alternative}>
        <button type="button" className={styles.textButton} onClick={() => setInDialog(true)}>
          {t('Use a passkey')}
        </button>
      </p>
    )
  )
}

/** Waits until a key or a pointer is pressed; forever once the signal is aborted. */
const waitForInput = (signal: AbortSignal) =>
  new Promise((resolve) => {
    for (const type of ['keydown', 'pointerdown']) addEventListener(type, resolve, { once: true, signal })
  })

interface ForgottenPasswordProps {
  email: string
  sendPasswordReset(email: string): Promise<void>
}

function ForgottenPassword({ email, sendPasswordReset }: ForgottenPasswordProps) {
  const [message, setMessage] = useState('')

  async function send() {
    setMessage('')
    try {
      await sendPasswordReset(email)
      const values = { email: isolate(email) }
      setMessage(t('If {email} has an account, a link to set a new password is on its way.', values))
    } catch (error) {
      setMessage(reportError('No link was sent:', error))
    }
  }

  return (
    <div className={styles.alternative}>
      {t('Forgot your password?')}{' '}
      <button type="button" className={styles.textButton} onClick={send}>
        {t('Send a reset link')}
      </button>
      <p role="status">
        <Text>{message}</Text>
      </p>
    </div>
  )
}
