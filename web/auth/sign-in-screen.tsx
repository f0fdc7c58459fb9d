import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { type IdentityService, ServiceError } from '../backends/ports.ts'
import { Link } from '../ui/link.tsx'
import { AccountScreen } from './account-screen.tsx'
import { errorMessage } from './error-message.ts'
import { storeUser } from './stored-user.ts'

/** What the link that led here says. */
interface SignInLocationState {
  /** The email of an account that was just made. */
  newAccount?: string
  /** The session has ended while the page was at work; `email` is whose it was. */
  ended?: boolean
  email?: string
}

interface SignInScreenProps {
  identity: IdentityService
  /** Starts loading the page that follows. */
  preloadForm(): Promise<void>
}

export function SignInScreen({ identity, preloadForm }: SignInScreenProps) {
  const navigate = useNavigate()
  const { newAccount, ended, email }: SignInLocationState = useLocation().state ?? {}

  useEffect(() => void preloadForm(), [preloadForm])

  async function signIn(email: string, password: string) {
    try {
      storeUser(await identity.signIn(email, password))
      await navigate('/form')
      return null
    } catch (error) {
      console.error('Sign-in failed:', error instanceof ServiceError ? error.code : error)
      return `Error: ${errorMessage(error)}`
    }
  }

  return (
    <AccountScreen
      title="Welcome Back"
      submitLabel="Sign In"
      passwordAutoComplete="current-password"
      initialEmail={newAccount ?? email ?? ''}
      statusMessage={
        ended
          ? 'Sign in again. What you typed is kept.'
          : newAccount && 'Your account is ready. Sign in to open the register.'
      }
      isSuccess={!ended}
      showsSignedInUser={!ended}
      alternative={
        <>
          New here? <Link to="/">Create an account</Link>
        </>
      }
      onSubmit={signIn}
    />
  )
}
