import { Suspense, useEffect } from 'react'
import { useNavigate } from 'react-router'
import type { SignedIn } from '../../contract/accounts.ts'
import { reportError } from '../backends/messages.ts'
import type { IdentityService } from '../backends/ports.ts'
import { t } from '../language/translate.ts'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Link } from '../ui/link.tsx'
import { useAccountLocation, useLinkToken } from './account-location.ts'
import styles from './account-screen.module.css'
import { AccountScreen, useAccountForm } from './account-screen.tsx'
import { storeUser } from './stored-user.tsx'

const WithoutPassword = lazyPart(() => import('./without-password.tsx'), 'WithoutPassword')
const ResetScreen = lazyPart(() => import('./team/reset-screen.tsx'), 'ResetScreen')

interface SignInScreenProps {
  identity: IdentityService
  /** Starts loading the code of /form, which follows a sign-in. */
  preloadForm(): Promise<void>
}

export function SignInScreen(props: SignInScreenProps) {
  const { team } = props.identity
  const token = useLinkToken('reset')
  if (token === null || !team) return <SignInForm {...props} />
  // Inside of this screen, so that the token leaves the address even if the part can't be loaded.
  return (
    <ErrorBoundary>
      <ResetScreen token={token} team={team} />
    </ErrorBoundary>
  )
}

function SignInForm({ identity, preloadForm }: SignInScreenProps) {
  const navigate = useNavigate()
  const { newAccount, ended, email, notice, search = '' } = useAccountLocation()
  const form = useAccountForm({
    initialEmail: newAccount ?? email ?? '',
    onSubmit: (email, password) => enter(identity.signIn(email, password)),
    describeFailure: (error) => t('Error: {message}', { message: reportError('Sign-in failed:', error) }),
  })

  useEffect(() => void preloadForm(), [preloadForm])

  async function enter(signIn: Promise<SignedIn>) {
    const { resetLink: _, resetLinks, ...user } = await signIn
    storeUser(user)
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
        {/* The screen works without this part. */}
        <ErrorBoundary renderLoadError={() => null}>
          <Suspense>
            <WithoutPassword form={form} identity={identity} enter={enter} />
          </Suspense>
        </ErrorBoundary>
      </div>
    </AccountScreen>
  )
}
