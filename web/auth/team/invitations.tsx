import { type SubmitEvent, useState } from 'react'
import type { InvitationInfo } from '../../../contract/accounts.ts'
import { takeEmail } from '../../../contract/employees.ts'
import type { IdentityService, TeamService } from '../../backends/ports.ts'
import { t } from '../../language/translate.ts'
import { readField } from '../../lib/dom.ts'
import { isolate } from '../../lib/isolate.ts'
import { pageAddress } from '../../lib/page-address.ts'
import { describeTime, formatTime } from '../../lib/times/times.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import listStyles from '../../ui/list.module.css'
import { ListItem, ListStatus, OnceButton, type OnceItemProps } from '../../ui/list.tsx'
import { usePolicy } from '../sign-up-form.tsx'
import { describePerson } from './colleague-item.tsx'
import linkStyles from './created-link.module.css'
import { CopyLink, CreatedLink, useLinks } from './created-link.tsx'

interface InvitationsProps {
  identity: IdentityService
  team: TeamService
}

/** Makes one-time links and revokes them, or says how else colleagues get an account. */
export function Invitations({ identity, team }: InvitationsProps) {
  const policy = usePolicy(identity)
  return (
    <>
      <h3>{t('Invite a colleague')}</h3>
      {policy?.signUp === 'closed' && (
        <p>{t('Sign-up is closed. Only your administrator can add an account.')}</p>
      )}
      {policy?.signUp === 'open' && (
        <div>
          <p>{t('Anyone with this link can create an account. No invitation is needed.')}</p>
          <CopyLink link={pageAddress()} />
        </div>
      )}
      {policy?.signUp !== 'closed' && policy?.signUp !== 'open' && <InvitationLinks team={team} />}
    </>
  )
}

function InvitationLinks({ team }: Pick<InvitationsProps, 'team'>) {
  const invitations = useLinks('The invitations were not read or changed:', team.listInvitations)
  const { list, isSlow, isGone, created, make, revoke } = invitations
  const [email, setEmail] = useState('')

  async function invite(invited: string) {
    const { id, token } = await team.createInvitation(invited.trim() || undefined)
    setEmail((current) => (current === invited ? '' : current))
    return { id, link: `${pageAddress()}#invite=${token}` }
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const invited = takeEmail(readField(event.currentTarget, 'invited'))
    setEmail(invited)
    void make(() => invite(invited))
  }

  return (
    <div tabIndex={-1} className={listStyles.column}>
      <form className={linkStyles.row} onSubmit={submit}>
        <Field
          label={t('Their email (optional)')}
          type="email"
          name="invited"
          autoComplete="off"
          hint={t('If you enter one, only this email can use the link.')}
          value={email}
          onChange={(event) => setEmail(takeEmail(event.target.value))}
        />
        <Button type="submit" isBusy={isSlow}>
          {t('Make a link')}
        </Button>
      </form>
      {created && (
        <CreatedLink
          key={created.id}
          {...created}
          hint={t('Works once, within 7 days. You won’t see it again.')}
        />
      )}
      {list && list.length > 0 && <h4 className={listStyles.time}>{t('Open invitations')}</h4>}
      <ul className={listStyles.list} aria-label={t('Open invitations')}>
        {list?.map((invitation) => (
          <InvitationItem
            key={invitation.id}
            item={invitation}
            isDone={isGone(invitation)}
            onClick={() =>
              revoke(invitation, t('Invitation revoked.'), () => team.revokeInvitation(invitation.id))
            }
          />
        ))}
      </ul>
      <ListStatus {...invitations} />
    </div>
  )
}

function InvitationItem({ item, ...button }: OnceItemProps<InvitationInfo>) {
  const { email, invitedBy, expiresAt } = item
  const until = { name: email ?? t('Anyone with the link'), time: formatTime(expiresAt) }
  const details = { by: describePerson(invitedBy), when: describeTime(expiresAt) }
  return (
    <ListItem
      name={email ? isolate(email) : until.name}
      details={[
        button.isDone ? t('Invited by {by}', details) : t('Invited by {by} · expires {when}', details),
      ]}
    >
      <OnceButton
        {...button}
        verbs={[t('Revoke'), t('Invitation revoked')]}
        labels={[
          t('Revoke the invitation for {name}, until {time}', until),
          t('Revoked the invitation for {name}, until {time}', until),
        ]}
      />
    </ListItem>
  )
}
