import type { IdentityService } from '../backends/ports.ts'
import { LoadErrorBoundary, lazyPart } from '../ui/lazy-part.tsx'
import { useLinkToken } from './account-location.ts'
import { describeRestriction, SignUpForm, usePolicy } from './sign-up-form.tsx'

const InvitedScreen = lazyPart(async () => (await import('./team/invited-screen.tsx')).InvitedScreen)

export function SignUpScreen({ identity }: { identity: IdentityService }) {
  const policy = usePolicy(identity)
  const token = useLinkToken('invite')
  if (token && identity.team) {
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
