import { type ReactNode, useState } from 'react'
import type { Colleague } from '../../../contract/accounts.ts'
import type { TeamService } from '../../backends/ports.ts'
import { isolate } from '../../lib/isolate.ts'
import { describeTime, formatDate } from '../../lib/times.ts'
import { Button } from '../../ui/button.tsx'
import { ListItem } from '../../ui/list.tsx'
import { CreatedLink } from './created-link.tsx'
import * as messages from './messages.ts'
import { OwnPasswordForm } from './own-password-form.tsx'
import styles from './team-dialog.module.css'

interface ColleagueItemProps {
  colleague: Colleague
  ownEmail: string
  team: TeamService
  onRemoved(): void
}

/** An account, with what others may do to it after entering their own password. */
export function ColleagueItem({ colleague, ownEmail, team, onRemoved }: ColleagueItemProps) {
  const { id, email } = colleague
  const isOwn = email === ownEmail
  const [action, setAction] = useState<'remove' | 'reset' | null>(null)
  const [link, setLink] = useState('')
  const toggle = (chosen: typeof action) => {
    setAction(action === chosen ? null : chosen)
    setLink('')
  }

  async function remove(password: string) {
    await team.removeColleague(id, password)
    setAction(null)
    onRemoved()
  }

  async function makeLink(password: string) {
    const { token } = await team.createPasswordReset(id, password)
    setAction(null)
    setLink(`${location.origin}/signin#reset=${token}`)
  }

  return (
    <ListItem
      name={isOwn ? `${isolate(email)} ${messages.you}` : isolate(email)}
      details={describe(colleague)}
    >
      {!isOwn && (
        <Actions>
          <ActionButton
            {...messages.resetLink}
            email={email}
            isOpen={action === 'reset'}
            onClick={() => toggle('reset')}
          />
          <ActionButton
            {...messages.remove}
            email={email}
            isOpen={action === 'remove'}
            onClick={() => toggle('remove')}
          />
        </Actions>
      )}
      {action && (
        <OwnPasswordForm
          key={action}
          ownEmail={ownEmail}
          text={
            action === 'remove' ? messages.removeText(isolate(email)) : messages.resetText(isolate(email))
          }
          submitLabel={action === 'remove' ? messages.remove.text : messages.makeLink}
          onSubmit={action === 'remove' ? remove : makeLink}
          onCancel={() => setAction(null)}
        />
      )}
      {link && <CreatedLink link={link} hint={messages.resetHint} copiedMessage={messages.copied} />}
    </ListItem>
  )
}

function describe({ createdAt, lastSeenAt, invitation }: Colleague) {
  const seen = lastSeenAt ? messages.lastSeen(describeTime(lastSeenAt)) : messages.neverSeen
  return [
    `${messages.since(formatDate(createdAt))} · ${seen}`,
    invitation && messages.invitedBy(describePerson(invitation.by), invitation.anyEmail),
  ]
}

/** `by` is an email; undefined stands for the operator. */
export const describePerson = (by: string | undefined) => (by ? isolate(by) : messages.operator)

interface RemovedItemProps {
  colleague: Colleague
  onPick: (() => void) | undefined
  onLetIn(): void
}

export function RemovedItem({ colleague, onPick, onLetIn }: RemovedItemProps) {
  const { email, removedAt = '', removedBy, canReturn } = colleague
  return (
    <ListItem
      name={isolate(email)}
      details={[messages.removed(describeTime(removedAt), describePerson(removedBy))]}
    >
      <Actions>
        {canReturn && <ActionButton {...messages.letIn} email={email} onClick={onLetIn} />}
        {onPick && <ActionButton {...messages.whatMustWeChange} email={email} onClick={onPick} />}
      </Actions>
    </ListItem>
  )
}

const Actions = ({ children }: { children: ReactNode }) => <span className={styles.actions}>{children}</span>

interface ActionButtonProps {
  text: string
  label(email: string): string
  email: string
  isOpen?: boolean
  onClick(): void
}

function ActionButton({ text, label, email, isOpen, onClick }: ActionButtonProps) {
  return (
    <Button
      translate="no"
      variant={isOpen === undefined ? 'secondary' : 'ghost'}
      aria-label={label(email)}
      aria-expanded={isOpen}
      onClick={onClick}
    >
      {text}
    </Button>
  )
}
