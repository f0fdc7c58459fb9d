import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import type { SignedIn } from '../../contract/accounts.ts'
import { reportError } from '../backends/messages.ts'
import type { IdentityService, ServiceError } from '../backends/ports.ts'
import { t } from '../language/translate.ts'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { lazyPart, OnDemand } from '../ui/lazy-part.tsx'
import { Link } from '../ui/link.tsx'
import { useAccountLocation, useLinkToken, useSsoAnswer } from './account-location.ts'
import styles from './account-screen.module.css'
import { AccountScreen, useAccountForm } from './account-screen.tsx'
import { rememberOwnPassword } from './remember-own-password.ts'
import { storeUser } from './stored-user.tsx'

const WithoutPassword = lazyPart(() => import('./without-password.tsx'), 'WithoutPassword')
const ResetScreen = lazyPart(() => import('./team/reset-screen.tsx'), 'ResetScreen')

interface SignInScreenProps {
  identity: IdentityService
  /** Starts loading the code of /form, which follows a sign-in. */
  preloadForm(): Promise<unknown>
}

export function SignInScreen(props: SignInScreenProps) {
  const { team } = props.identity
  const token = useLinkToken('reset')
  const answer = useSsoAnswer()
  // Who has come back from the provider has decided against a new password.
  if (token === null || !team || answer) return <SignInForm {...props} answer={answer} />
  // Inside of this screen, so that the token leaves the address even if the part can't be loaded.
  return (
    <ErrorBoundary>
      <ResetScreen token={token} team={team} />
    </ErrorBoundary>
  )
}

function SignInForm({ identity, preloadForm, answer }: SignInScreenProps & { answer: string | null }) {
  const navigate = useNavigate()
  const { newAccount, ended, email, notice, search = '' } = useAccountLocation()
  const form = useAccountForm({
    initialEmail: newAccount ?? email ?? '',
    onSubmit: (email, password) => enter(identity.signIn(email, password), password),
    describeFailure,
  })

  useEffect(() => void preloadForm(), [preloadForm])

  async function enter(signIn: Promise<SignedIn>, password?: string) {
    const { resetLink: _, resetLinks, ...user } = await signIn
    storeUser(user)
    if (password !== undefined) void rememberOwnPassword(password)
    await navigate(`/form${search}`, { state: { resetLinks } })
  }

  return (
    <AccountScreen
      texts={{ title: t('Welcome Back'), submit: t('Sign In'), busy: t('Signing in…') }}
      form={form}
      autoComplete={{
        email: identity.passkeys ? 'username webauthn' : 'username',
        password: 'current-password',
      }}
      status={{
        text:
          notice ??
          (newAccount
            ? t('Your account is ready. Sign in to open the register.')
            : ended && t('Sign in to continue. Your unsaved changes are kept.')),
        isSuccess: Boolean(notice ?? newAccount),
      }}
    >
      <p className={styles.alternative}>
        {t('New here?')}{' '}
        <Link to="/" state={{ ended, email, search }}>
          {t('Create an account')}
        </Link>
      </p>
      <div className={styles.alternative}>
        {!identity.sendPasswordReset &&
          t('Forgot your password? Ask a colleague or your administrator for a reset link.')}
      </div>
      <OnDemand isOptional>
        <WithoutPassword form={form} identity={identity} answer={answer} enter={enter} />
      </OnDemand>
    </AccountScreen>
  )
}

function describeFailure(error: unknown, password: string): string {
  const values = { message: reportError('Sign-in failed:', error) }
  const { code } = error as Partial<ServiceError>
  return code === 'invalid-credentials' && password !== password.trim()
    ? t('Error: {message} The password that you typed begins or ends with a space.', values)
    : t('Error: {message}', values)
}
