import { type SubmitEvent, useCallback, useEffect, useRef, useState } from 'react'
import type { IdentityPolicy, InvitationInfo } from '../../../contract/accounts.ts'
import type { IdentityService, TeamService } from '../../backends/ports.ts'
import { copyAndClear } from '../../lib/clear-clipboard.ts'
import { describeTime, formatTime } from '../../lib/times.ts'
import { useIsSlow } from '../../lib/use-is-slow.ts'
import { useServiceList } from '../../lib/use-service-list.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import listStyles from '../../ui/list.module.css'
import { ListStatus } from '../../ui/message.tsx'
import { usePolicy } from '../sign-up-form.tsx'
import styles from './invite-dialog.module.css'
import * as messages from './messages.ts'

interface InviteDialogProps {
  identity: IdentityService
  loadTeam(): Promise<TeamService>
  onClose(): void
}

/** Makes one-time links and revokes them, or says how else colleagues get an account. */
export function InviteDialog({ identity, loadTeam, onClose }: InviteDialogProps) {
  const policy = usePolicy(identity)
  const otherWay = policy && describeOtherWay(policy)
  return (
    <Dialog title={messages.invite} onClose={onClose}>
      {otherWay ? <p>{otherWay}</p> : <Invitations loadTeam={loadTeam} />}
    </Dialog>
  )
}

/** Undefined where only invited people may sign up. */
function describeOtherWay(policy: IdentityPolicy): string | undefined {
  if (policy.signUp === 'invited') return
  return policy.signUp === 'closed' ? messages.invitingClosed : messages.anyoneCanSignUp(location.origin)
}

function Invitations({ loadTeam }: Pick<InviteDialogProps, 'loadTeam'>) {
  const read = useCallback(async () => (await loadTeam()).listInvitations(), [loadTeam])
  const invitations = useServiceList('The invitations were not read or changed:', read)
  const { list, isLoading, isGone, change } = invitations
  const isSlow = useIsSlow(isLoading)
  const [email, setEmail] = useState('')
  const [created, setCreated] = useState<{ id: string; link: string } | null>(null)

  async function invite(event: SubmitEvent) {
    event.preventDefault()
    if (isLoading) return
    await change('', async () => {
      const { id, token } = await (await loadTeam()).createInvitation(email.trim() || undefined)
      setCreated({ id, link: `${location.origin}/#invite=${token}` })
      setEmail('')
    })
  }

  async function revoke({ id }: InvitationInfo) {
    const revoking = async () => (await loadTeam()).revokeInvitation(id)
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
          data-first
        />
        <Button
          type="submit"
          variant={created ? 'secondary' : 'primary'}
          isBusy={isSlow}
          aria-disabled={isLoading}
        >
          {messages.makeLink}
        </Button>
      </form>
      {created && <CreatedLink key={created.id} link={created.link} />}
      {list && list.length > 0 && <h3 className={styles.heading}>{messages.openInvitations}</h3>}
      <ul className={listStyles.list}>
        {list?.map((invitation) => {
          const { id, email = messages.anyone, invitedBy = messages.operator } = invitation
          const until = formatTime(invitation.expiresAt)
          const { text, label } = isGone(invitation) ? messages.isRevoked : messages.revoke
          return (
            <li key={id} className={listStyles.item}>
              <div>
                <p className={listStyles.name}>{email}</p>
                <p className={listStyles.time}>
                  {messages.fromUntil(invitedBy, describeTime(invitation.expiresAt))}
                </p>
              </div>
              <Button
                aria-label={label(email, until)}
                isDone={isGone(invitation)}
                onClick={() => revoke(invitation)}
              >
                {text}
              </Button>
            </li>
          )
        })}
      </ul>
      <ListStatus {...invitations} />
    </div>
  )
}

/** The link, shown once: the service does not store it. */
function CreatedLink({ link }: { link: string }) {
  const [message, setMessage] = useState('')
  const row = useRef<HTMLDivElement>(null)

  useEffect(() => row.current?.querySelector('button')?.focus(), [])

  async function copy() {
    const isCopied = await copyAndClear(link, false)
    setMessage(isCopied ? messages.copied : messages.notCopied)
  }

  return (
    <div className={styles.created}>
      <div ref={row} className={styles.form}>
        <Field
          label={messages.link}
          readOnly
          secret={link}
          hint={messages.linkHint}
          onFocus={(event) => event.target.select()}
        />
        <Button variant="primary" onClick={copy}>
          {messages.copyLink}
        </Button>
      </div>
      <p role="status" className={listStyles.time}>
        {message}
      </p>
    </div>
  )
}
