import { useNavigate } from 'react-router'
import type { IdentityService } from '../backends/ports.ts'
import { Link } from '../ui/link.tsx'
import { AccountScreen } from './account-screen.tsx'
import { errorMessage, passwordRule } from './messages.ts'

export function SignUpScreen({ identity }: { identity: IdentityService }) {
  const navigate = useNavigate()

  async function signUp(email: string, password: string) {
    try {
      await identity.createAccount(email, password)
      await navigate('/signin', { state: { newAccount: email } })
      return null
    } catch (error) {
      console.error('Sign-up failed:', error)
      return errorMessage(error)
    }
  }

  return (
    <AccountScreen
      title="Create Your Account"
      submitLabel="Sign Up"
      passwordAutoComplete="new-password"
      passwordHint={passwordRule}
      alternative={
        <>
          Have an account? <Link to="/signin">Sign in</Link>
        </>
      }
      onSubmit={signUp}
    />
  )
}
