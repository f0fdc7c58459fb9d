import { useEffect, useState } from 'react'
import type { IdentityPolicy } from '../../contract/accounts.ts'
import type { IdentityService } from '../backends/ports.ts'

/** Null until the policy is known, and for good if it can't be read: then signing up itself tells. */
export function usePolicy(identity: IdentityService): IdentityPolicy | null {
  const [policy, setPolicy] = useState<IdentityPolicy | null>(null)
  useEffect(() => {
    identity.policy?.().then(setPolicy, () => {})
  }, [identity])
  return policy
}

/** The emails that may sign up, for example "@a.com or @b.org". */
export function describeDomains({ domains = [] }: IdentityPolicy): string {
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(domains.map((name) => `@${name}`))
}
