import { type SubmitEvent, useState } from 'react'
import type { IdentityPolicy, InvitationInfo } from '../../../contract/accounts.ts'
import type { IdentityService, TeamService } from '../../backends/ports.ts'
import { describeTime, formatTime } from '../../lib/times.ts'
import { useServiceList } from '../../lib/use-service-list.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import listStyles from '../../ui/list.module.css'
import { ListItem, OnceButton } from '../../ui/list-item.tsx'
import { ListStatus } from '../../ui/message.tsx'
import { usePolicy } from '../sign-up-form.tsx'
import { CreatedLink } from './created-link.tsx'
import * as messages from './messages.ts'
import styles from './team-dialog.module.css'

interface InvitationsProps {
  identity: IdentityService
  team: TeamService
}

/** Makes one-time links and revokes them, or says how else colleagues get an account. */
export function Invitations({ identity, team }: InvitationsProps) {
  const policy = usePolicy(identity)
  const otherWay = policy && describeOtherWay(policy)
  return (
    <>
      <h3 className={styles.heading}>{messages.invite}</h3>
      {otherWay ? <p>{otherWay}</p> : <InvitationLinks team={team} />}
    </>
  )
}

/** Undefined where only invited people may sign up. */
function describeOtherWay(policy: IdentityPolicy): string | undefined {
  if (policy.signUp === 'invited') return
  return policy.signUp === 'closed' ? messages.invitingClosed : messages.anyoneCanSignUp(location.origin)
}

function InvitationLinks({ team }: Pick<InvitationsProps, 'team'>) {
  const invitations = useServiceList('The invitations were not read or changed:', team.listInvitations)
  const { list, isLoading, isSlow, isGone, change } = invitations
  const [email, setEmail] = useState('')
  const [created, setCreated] = useState<{ id: string; link: string } | null>(null)

  async function invite(event: SubmitEvent) {
    event.preventDefault()
    if (isLoading) return
    await change('', async () => {
      const { id, token } = await team.createInvitation(email.trim() || undefined)
      setCreated({ id, link: `${location.origin}/#invite=${token}` })
      setEmail('')
    })
  }

  async function revoke({ id }: InvitationInfo) {
    const revoking = () => team.revokeInvitation(id)
    if ((await change(messages.revoked, revoking)) && created?.id === id) setCreated(null)
  }

  return (
    <div tabIndex={-1} className={listStyles.column}>
      <form className={styles.form} onSubmit={invite}>
        <Field
          label={messages.theirEmail}
          type="email"
          name="invited"
          autoComplete="off"
          hint={messages.emailHint}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Button type="submit" isBusy={isSlow} aria-disabled={isLoading}>
          {messages.makeLink}
        </Button>
      </form>
      {created && (
        <CreatedLink
          key={created.id}
          link={created.link}
          hint={messages.linkHint}
          copiedMessage={messages.copied}
        />
      )}
      {list && list.length > 0 && <h4 className={listStyles.time}>{messages.openInvitations}</h4>}
      <ul className={listStyles.list} aria-label={messages.openInvitations}>
        {list?.map((invitation) => {
          const { id, email = messages.anyone, invitedBy = messages.operator, expiresAt } = invitation
          return (
            <ListItem
              key={id}
              name={email}
              details={[messages.fromUntil(invitedBy, describeTime(expiresAt))]}
            >
              <OnceButton
                verbs={messages.revoke}
                label={(verb) => messages.revokeLabel(verb, email, formatTime(expiresAt))}
                isDone={isGone(invitation)}
                onClick={() => revoke(invitation)}
              />
            </ListItem>
          )
        })}
      </ul>
      <ListStatus {...invitations} />
    </div>
  )
}
