import { Link, useLocation, useNavigate } from 'react-router'
import { type IdentityService, ServiceError } from '../services/ports.ts'
import { AccountScreen } from './account-screen.tsx'
import { messageOf } from './message-of.ts'
import { storeUser } from './stored-user.ts'

export function SignInScreen({ identity }: { identity: IdentityService }) {
  const navigate = useNavigate()
  const newAccount: string | undefined = useLocation().state?.newAccount

  async function signIn(email: string, password: string) {
    try {
      storeUser(await identity.signIn(email, password))
      await navigate('/form')
      return null
    } catch (error) {
      console.error('Sign-in failed:', error instanceof ServiceError ? error.code : error)
      return `Error: ${messageOf(error)}`
    }
  }

  return (
    <AccountScreen
      title="Welcome Back"
      action="Sign In"
      passwordAutoComplete="current-password"
      initialEmail={newAccount ?? ''}
      notice={newAccount && 'Your account is ready. Sign in to open the register.'}
      otherWay={
        <>
          New here? <Link to="/">Create an account</Link>
        </>
      }
      onSubmit={signIn}
    />
  )
}
