import { type SubmitEvent, useCallback, useEffect, useRef, useState } from 'react'
import type { IdentityPolicy, InvitationInfo } from '../../contract/accounts.ts'
import type { IdentityService, TeamService } from '../backends/ports.ts'
import { copyText } from '../lib/clipboard.ts'
import { useIsSlow } from '../lib/use-is-slow.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Message } from '../ui/message.tsx'
import styles from './invite-dialog.module.css'
import { formatTime } from './messages.ts'
import { closedMessage, describeDomains, usePolicy } from './policy.ts'
import listStyles from './sessions-dialog.module.css'
import { useServiceList } from './use-service-list.ts'

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
    <Dialog title="Invite a colleague" onClose={onClose}>
      {otherWay ? <p>{otherWay}</p> : <Invitations loadTeam={loadTeam} />}
    </Dialog>
  )
}

/** Undefined where only invited people may sign up. */
function describeOtherWay(policy: IdentityPolicy): string | undefined {
  if (policy.signUp === 'invited') return
  if (policy.signUp === 'closed') return closedMessage
  const who = policy.signUp === 'domain' ? `Anyone whose email ends in ${describeDomains(policy)}` : 'Anyone'
  return `${who} can create an account at ${location.origin}. No invitation is needed.`
}

function Invitations({ loadTeam }: Pick<InviteDialogProps, 'loadTeam'>) {
  const read = useCallback(async () => (await loadTeam()).listInvitations(), [loadTeam])
  const { list, isLoading, outcome, error, load, change } = useServiceList(
    'The invitations were not read or changed:',
    read,
  )
  const isSlow = useIsSlow(isLoading)
  const [email, setEmail] = useState('')
  const [created, setCreated] = useState<{ id: string; link: string } | null>(null)
  const container = useRef<HTMLDivElement>(null)

  async function invite(event: SubmitEvent) {
    event.preventDefault()
    if (isLoading) return
    await change('', async () => {
      const { id, token } = await (await loadTeam()).createInvitation(email.trim() || undefined)
      setCreated({ id, link: `${location.origin}/#invite=${token}` })
      setEmail('')
    })
  }

  /** The pressed button disappears, so the list takes the focus. */
  async function revoke({ id }: InvitationInfo) {
    const revoking = async () => (await loadTeam()).revokeInvitation(id)
    if (!(await change('The invitation is revoked.', revoking))) return
    container.current?.focus()
    if (created?.id === id) setCreated(null)
  }

  return (
    <div ref={container} tabIndex={-1} className={listStyles.column}>
      <form className={styles.form} onSubmit={invite}>
        <Field
          label="Their email (optional)"
          type="email"
          name="invited"
          autoComplete="off"
          hint="With it, the link works for this email only."
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          data-first
        />
        <Button type="submit" variant="primary" isBusy={isSlow} aria-disabled={isLoading}>
          Make a link
        </Button>
      </form>
      <Message role="alert">{error}</Message>
      <Message role="status" isSuccess>
        {outcome}
      </Message>
      {created && <CreatedLink key={created.id} link={created.link} />}
      {!list && error && (
        <p>
          <Button onClick={load}>Try again</Button>
        </p>
      )}
      {list && list.length > 0 && <h3 className={styles.heading}>Open invitations</h3>}
      <ul className={listStyles.list}>
        {list?.map((invitation) => (
          <li key={invitation.id} className={listStyles.session}>
            <div>
              <p className={listStyles.name}>{invitation.email ?? 'Whoever has the link'}</p>
              <p className={listStyles.time}>
                From {invitation.invitedBy ?? 'whoever runs this register'}, until{' '}
                {formatTime(invitation.expiresAt)}
              </p>
            </div>
            <Button
              aria-label={`Revoke the invitation for ${invitation.email ?? 'whoever has the link'}, until ${formatTime(invitation.expiresAt)}`}
              onClick={() => revoke(invitation)}
            >
              Revoke
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The link, shown once: the service does not store it. */
function CreatedLink({ link }: { link: string }) {
  const [message, setMessage] = useState('')
  const row = useRef<HTMLDivElement>(null)

  useEffect(() => row.current?.querySelector('button')?.focus(), [])

  async function copy() {
    const isCopied = await copyText(link)
    setMessage(isCopied ? 'Copied. Send it to your colleague.' : 'Select the link and copy it by hand.')
  }

  return (
    <div className={styles.created}>
      <div ref={row} className={styles.form}>
        <Field
          label="Link"
          readOnly
          secret={link}
          hint="It works once, for 7 days, and is not shown again."
          onFocus={(event) => event.target.select()}
        />
        <Button variant="primary" onClick={copy}>
          Copy link
        </Button>
      </div>
      <p role="status" className={listStyles.time}>
        {message}
      </p>
    </div>
  )
}
