import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { reportError } from '../backends/messages.ts'
import type { IdentityService } from '../backends/ports.ts'
import { LoadErrorBoundary, lazyPart } from '../ui/lazy-part.tsx'
import { Link } from '../ui/link.tsx'
import { useAccountLocation, useLinkToken } from './account-location.ts'
import styles from './account-screen.module.css'
import { AccountScreen } from './account-screen.tsx'
import * as messages from './messages.ts'
import { storeUser } from './stored-user.tsx'

const ResetScreen = lazyPart(() => import('./team/reset-screen.tsx').then((module) => module.ResetScreen))

interface SignInScreenProps {
  identity: IdentityService
  /** Starts loading the code of /form, which follows a sign-in. */
  preloadForm(): Promise<void>
}

export function SignInScreen(props: SignInScreenProps) {
  const { loadTeam } = props.identity
  const token = useLinkToken('reset')
  if (!token || !loadTeam) return <SignInForm {...props} />
  return (
    <LoadErrorBoundary>
      <ResetScreen token={token} loadTeam={loadTeam} />
    </LoadErrorBoundary>
  )
}

function SignInForm({ identity, preloadForm }: SignInScreenProps) {
  const navigate = useNavigate()
  const { newAccount, ended, email, notice, search = '' } = useAccountLocation()

  useEffect(() => void preloadForm(), [preloadForm])

  async function signIn(email: string, password: string) {
    try {
      const { resetLink, ...user } = await identity.signIn(email, password)
      storeUser(user)
      await navigate(`/form${search}`, { state: { resetLink } })
      return null
    } catch (error) {
      return messages.signInFailed(reportError('Sign-in failed:', error))
    }
  }

  return (
    <AccountScreen
      title={messages.signInTitle}
      submitLabel={messages.signIn}
      busyMessage={messages.signingIn}
      passwordAutoComplete="current-password"
      initialEmail={newAccount ?? email ?? ''}
      statusMessage={notice ?? (ended ? messages.sessionEnded : newAccount && messages.accountReady)}
      isSuccess={!ended}
      showsSignedInUser={!ended}
      alternative={
        <>
          {messages.newHere}{' '}
          <Link to="/" state={{ search }}>
            {messages.goToSignUp}
          </Link>
        </>
      }
      renderPasswordHelp={(email) => <ForgottenPassword email={email} identity={identity} />}
      onSubmit={signIn}
    />
  )
}

/** Whom to ask, or a button that sends a mail if the service does. */
function ForgottenPassword({ email, identity }: { email: string; identity: IdentityService }) {
  const [message, setMessage] = useState('')
  if (!identity.sendPasswordReset) return messages.askForReset

  async function send() {
    setMessage('')
    try {
      await identity.sendPasswordReset?.(email)
      setMessage(messages.resetSent(email))
    } catch (error) {
      setMessage(reportError('No link was sent:', error))
    }
  }

  return (
    <>
      {messages.forgotPassword}{' '}
      <button type="button" className={styles.textButton} onClick={send}>
        {messages.sendReset}
      </button>
      <p role="status">{message}</p>
    </>
  )
}
