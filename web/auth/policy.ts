import { useEffect, useState } from 'react'
import type { IdentityPolicy } from '../../contract/accounts.ts'
import type { IdentityService } from '../backends/ports.ts'
import * as messages from './messages.ts'

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
