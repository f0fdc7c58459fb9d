import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { errorMessage } from '../backends/messages.ts'
import { Link } from '../ui/link.tsx'
import { type AccountLocationState, useAccountLocation } from './account-location.ts'
import { AccountScreen } from './account-screen.tsx'
import * as messages from './messages.ts'

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
      title={messages.signUpTitle}
      submitLabel={messages.signUp}
      busyMessage={messages.signingUp}
      passwordAutoComplete="new-password"
      passwordHint={messages.passwordRule}
      alternative={
        <>
          {messages.haveAccount}{' '}
          <Link to="/signin" state={{ search }}>
            {messages.goToSignIn}
          </Link>
        </>
      }
      onSubmit={signUp}
    />
  )
}
