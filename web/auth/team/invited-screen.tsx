import { useEffect, useState } from 'react'
import type { IdentityPolicy } from '../../../contract/accounts.ts'
import { hasCode, type IdentityService } from '../../backends/ports.ts'
import { whenSettled } from '../../lib/dom.ts'
import { forgetLinkToken } from '../account-location.ts'
import { describeRestriction, SignUpForm } from '../sign-up-form.tsx'
import { UnusableLink } from './link-card.tsx'
import * as messages from './messages.ts'

interface InvitedScreenProps {
  identity: IdentityService
  policy: IdentityPolicy | null
  token: string
}

/** The sign-up screen of a visitor with an invitation. */
export function InvitedScreen({ identity, policy, token }: InvitedScreenProps) {
  const checked = useInvitation(identity, token)
  const isUseful = policy?.signUp === 'invited'

  async function createAccount(email: string, password: string) {
    await identity.createAccount(email, password, token)
    forgetLinkToken('invite')
  }

  if (!isUseful)
    return <SignUpForm statusMessage={policy && describeRestriction(policy)} createAccount={createAccount} />
  if (checked === 'unusable') return <UnusableLink name="invite" />
  return (
    <SignUpForm
      fixedEmail={checked?.email}
      statusMessage={checked && messages.invited}
      isSuccess
      createAccount={createAccount}
    />
  )
}

type CheckedInvitation = { email?: string } | 'unusable'

/** Null until the invitation has been checked, and for good if it can't be: then signing up itself tells. */
function useInvitation(identity: IdentityService, token: string): CheckedInvitation | null {
  const [invitation, setInvitation] = useState<CheckedInvitation | null>(null)
  useEffect(() => {
    setInvitation(null)
    return whenSettled(identity.team?.checkInvitation(token), setInvitation, (error) => {
      if (hasCode(error, 'invalid-link')) setInvitation('unusable')
    })
  }, [identity, token])
  return invitation
}
