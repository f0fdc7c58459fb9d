import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { type IdentityService, ServiceError } from '../backends/ports.ts'
import { Link } from '../ui/link.tsx'
import { AccountScreen } from './account-screen.tsx'
import { errorMessage } from './messages.ts'
import { storeUser } from './stored-user.ts'

/** The state of the navigation that leads to this screen. */
interface SignInLocationState {
  /** The email of an account that has just been created. */
  newAccount?: string
  /** The session has ended while the user was on /form; `email` is that user's. */
  ended?: boolean
  email?: string
}

interface SignInScreenProps {
  identity: IdentityService
  /** Starts loading the code of /form, which follows a sign-in. */
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
