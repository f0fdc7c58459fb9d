import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { errorMessage } from '../backends/messages.ts'
import { Link } from '../ui/link.tsx'
import { type AccountLocationState, useAccountLocation } from './account-location.ts'
import { AccountScreen } from './account-screen.tsx'
import * as words from './words.ts'

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
      title={words.signUpTitle}
      submitLabel={words.signUp}
      busyMessage={words.signingUp}
      passwordAutoComplete="new-password"
      passwordHint={words.passwordRule}
      alternative={
        <>
          {words.haveAccount}{' '}
          <Link to="/signin" state={{ search }}>
            {words.goToSignIn}
          </Link>
        </>
      }
      onSubmit={signUp}
    />
  )
}
