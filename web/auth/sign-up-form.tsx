import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { Link } from '../ui/link.tsx'
import { type AccountLocationState, useAccountLocation } from './account-location.ts'
import { AccountScreen } from './account-screen.tsx'
import { errorMessage, passwordRule } from './messages.ts'

interface SignUpFormProps {
  statusMessage: ReactNode
  isSuccess?: boolean
  fixedEmail?: string | undefined
  createAccount(email: string, password: string): Promise<unknown>
}

export function SignUpForm({ createAccount, ...props }: SignUpFormProps) {
  const navigate = useNavigate()
  const { search } = useAccountLocation()

  async function signUp(email: string, password: string) {
    try {
      await createAccount(email, password)
      const state: AccountLocationState = { newAccount: email, ...(search ? { search } : {}) }
      await navigate('/signin', { state })
      return null
    } catch (error) {
      console.error('Sign-up failed:', error)
      return errorMessage(error)
    }
  }

  return (
    <AccountScreen
      {...props}
      title="Create Your Account"
      submitLabel="Sign Up"
      busyMessage="Creating your account…"
      passwordAutoComplete="new-password"
      passwordHint={passwordRule}
      alternative={
        <>
          Have an account?{' '}
          <Link to="/signin" state={{ search }}>
            Sign in
          </Link>
        </>
      }
      onSubmit={signUp}
    />
  )
}
