import type { IdentityPolicy } from '../../../contract/accounts.ts'
import type { IdentityService, TeamService } from '../../backends/ports.ts'
import { t } from '../../language/translate.ts'
import { forgetLinkToken } from '../account-location.ts'
import { describeRestriction, SignUpForm } from '../sign-up-form.tsx'
import { UnusableLink, useCheckedLink } from './link-card.tsx'

interface InvitedScreenProps {
  identity: IdentityService
  team: TeamService
  policy: IdentityPolicy | null
  token: string
}

/** The sign-up screen of a visitor with an invitation. If it can't be checked, signing up itself tells. */
export function InvitedScreen({ identity, team, policy, token }: InvitedScreenProps) {
  const { info, isUnusable } = useCheckedLink(team.checkInvitation, token)
  const isUseful = policy?.signUp === 'invited'

  async function createAccount(email: string, password: string) {
    await identity.createAccount(email, password, token)
    forgetLinkToken('invite')
  }

  if (!isUseful)
    return (
      <SignUpForm
        {...{ identity, policy }}
        status={{ text: policy && describeRestriction(policy) }}
        createAccount={createAccount}
      />
    )
  if (isUnusable) return <UnusableLink name="invite" value={token} />
  return (
    <SignUpForm
      {...{ identity, policy }}
      fixedEmail={info?.email}
      status={{ text: info && describeInvitation(policy), isSuccess: true }}
      createAccount={createAccount}
    />
  )
}

const describeInvitation = ({ sso }: IdentityPolicy) =>
  sso?.only ? t('You’re invited.') : t('You’re invited. Choose a password for your account.')
