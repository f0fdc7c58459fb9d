import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import type { IdentityPolicy } from '../../contract/accounts.ts'
import type { IdentityService } from '../backends/ports.ts'
import { Link } from '../ui/link.tsx'
import { type AccountLocationState, useAccountLocation } from './account-location.ts'
import { AccountScreen } from './account-screen.tsx'
import { errorMessage } from './messages.ts'
import * as words from './words.ts'

export function SignUpScreen({ identity }: { identity: IdentityService }) {
  const navigate = useNavigate()
  const { search } = useAccountLocation()
  const policy = usePolicy(identity)

  async function signUp(email: string, password: string) {
    try {
      await identity.createAccount(email, password)
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
      title={words.signUpTitle}
      submitLabel={words.signUp}
      busyMessage={words.signingUp}
      passwordAutoComplete="new-password"
      passwordHint={words.passwordRule}
      statusMessage={policy && describeRestriction(policy)}
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

/** Null until the policy is known, and for good if it can't be read: then signing up itself tells. */
function usePolicy(identity: IdentityService): IdentityPolicy | null {
  const [policy, setPolicy] = useState<IdentityPolicy | null>(null)
  useEffect(() => {
    identity.policy?.().then(setPolicy, () => {})
  }, [identity])
  return policy
}

/** What a visitor must know before filling in the form; undefined if anyone may sign up. */
function describeRestriction({ signUp, domains = [] }: IdentityPolicy): string | undefined {
  if (signUp === 'closed') return words.signUpClosed
  if (signUp !== 'domain') return
  const list = new Intl.ListFormat('en', { type: 'disjunction' }).format(domains.map((name) => `@${name}`))
  return words.mustEndIn(list)
}
