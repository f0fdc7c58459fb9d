import type { IdentityPolicy } from '../../contract/accounts.ts'
import type { IdentityService } from '../backends/ports.ts'
import { LoadErrorBoundary, lazyPart } from '../ui/lazy-part.tsx'
import { useLinkToken } from './link-token.ts'
import { describeDomains, usePolicy } from './policy.ts'
import { SignUpForm } from './sign-up-form.tsx'
import * as words from './words.ts'

const InvitedScreen = lazyPart(() =>
  import('./team/invited-screen.tsx').then((module) => module.InvitedScreen),
)

export function SignUpScreen({ identity }: { identity: IdentityService }) {
  const policy = usePolicy(identity)
  const token = useLinkToken('invite')
  if (token && identity.loadTeam) {
    return (
      <LoadErrorBoundary>
        <InvitedScreen identity={identity} policy={policy} token={token} />
      </LoadErrorBoundary>
    )
  }
  return (
    <SignUpForm
      statusMessage={policy && describeRestriction(policy)}
      createAccount={(email, password) => identity.createAccount(email, password)}
    />
  )
}

/** What a visitor must know before filling in the form; undefined if anyone may sign up. */
function describeRestriction(policy: IdentityPolicy): string | undefined {
  if (policy.signUp === 'closed') return words.signUpClosed
  if (policy.signUp === 'invited') return words.invitationNeeded
  return policy.signUp === 'domain' ? words.mustEndIn(describeDomains(policy)) : undefined
}
