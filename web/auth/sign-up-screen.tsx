import type { IdentityPolicy } from '../../contract/accounts.ts'
import type { IdentityService } from '../backends/ports.ts'
import { LoadErrorBoundary, lazyPart } from '../ui/lazy-part.tsx'
import { useLinkToken } from './link-token.ts'
import { closedMessage, describeDomains, usePolicy } from './policy.ts'
import { SignUpForm } from './sign-up-form.tsx'

const InvitedScreen = lazyPart(() => import('./invited-screen.tsx').then((module) => module.InvitedScreen))

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
  if (policy.signUp === 'closed') return closedMessage
  if (policy.signUp === 'invited') return 'You need an invitation. Ask a colleague for a link.'
  return policy.signUp === 'domain' ? `Your email must end in ${describeDomains(policy)}.` : undefined
}
