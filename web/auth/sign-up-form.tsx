import { type ReactNode, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import type { IdentityPolicy } from '../../contract/accounts.ts'
import { errorMessage } from '../backends/messages.ts'
import type { IdentityService } from '../backends/ports.ts'
import { Link } from '../ui/link.tsx'
import { useAccountLocation } from './account-location.ts'
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
  const { ended, email, search } = useAccountLocation()

  async function signUp(email: string, password: string) {
    await createAccount(email, password)
    await navigate('/signin', { state: { newAccount: email, ended, search } })
  }

  return (
    <AccountScreen
      {...props}
      title={messages.signUpTitle}
      submitLabel={messages.signUp}
      busyMessage={messages.signingUp}
      passwordAutoComplete="new-password"
      alternative={
        <>
          {messages.haveAccount}{' '}
          <Link to="/signin" state={{ ended, email, search }}>
            {messages.goToSignIn}
          </Link>
        </>
      }
      onSubmit={signUp}
      describeFailure={describeFailure}
    />
  )
}

/** Logs the whole error, as section 8 of the specification requires. */
function describeFailure(error: unknown): string {
  console.error('Sign-up failed:', error)
  return errorMessage(error)
}

/** Null until the policy is known, and for good if it can't be read: then signing up itself tells. */
export function usePolicy(identity: IdentityService): IdentityPolicy | null {
  const [policy, setPolicy] = useState<IdentityPolicy | null>(null)
  useEffect(() => {
    identity.policy?.().then(setPolicy, () => {})
  }, [identity])
  return policy
}

/** What a visitor without an invitation must know before filling in the form; undefined if anyone may sign up. */
export function describeRestriction(policy: IdentityPolicy): string | undefined {
  if (policy.signUp === 'closed') return messages.signUpClosed
  return policy.signUp === 'invited' ? messages.invitationNeeded : undefined
}
