import type { IdentityService } from '../backends/ports.ts'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { useLinkToken } from './account-location.ts'
import { describeRestriction, SignUpForm, usePolicy } from './sign-up-form.tsx'

const InvitedScreen = lazyPart(() => import('./team/invited-screen.tsx'), 'InvitedScreen')

export function SignUpScreen({ identity }: { identity: IdentityService }) {
  const policy = usePolicy(identity)
  const token = useLinkToken('invite')
  const { team } = identity
  if (token !== null && team) {
    return (
      <ErrorBoundary>
        <InvitedScreen {...{ identity, team, policy, token }} />
      </ErrorBoundary>
    )
  }
  return (
    <SignUpForm
      identity={identity}
      policy={policy}
      status={{ text: policy && describeRestriction(policy) }}
      createAccount={(email, password) => identity.createAccount(email, password)}
    />
  )
}
