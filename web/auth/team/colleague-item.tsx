import { useState } from 'react'
import { type Colleague, letInDays } from '../../../contract/accounts.ts'
import type { TeamService } from '../../backends/ports.ts'
import { t } from '../../language/translate.ts'
import { isolate } from '../../lib/isolate.ts'
import { pageAddress } from '../../lib/page-address.ts'
import { describeTime, formatDate } from '../../lib/times.ts'
import { Button } from '../../ui/button.tsx'
import { ListItem } from '../../ui/list.tsx'
import { CreatedLink } from './created-link.tsx'
import { OwnPasswordForm } from './own-password-form.tsx'
import styles from './team-dialog.module.css'

type Action = 'remove' | 'reset'

const describeAction = (action: Action, email: string) =>
  action === 'remove'
    ? t(
        '{email} is signed out everywhere at once. You then see which passwords to change. Anyone can let them back in for {days, plural, one {# day} other {# days}}.',
        { email, days: letInDays },
      )
    : t('The link lets {email} set a new password. They are told that you made it.', { email })

interface ColleagueItemProps {
  colleague: Colleague
  ownEmail: string
  team: TeamService
  onRemoved(): void
}

/** An account, with what others may do to it after entering their own password. */
export function ColleagueItem({ colleague, ownEmail, team, onRemoved }: ColleagueItemProps) {
  const { id, email } = colleague
  const name = isolate(email)
  const isOwn = email === ownEmail
  const [action, setAction] = useState<Action | null>(null)
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
    setLink(`${pageAddress()}signin#reset=${token}`)
  }

  return (
    <ListItem name={isOwn ? t('{email} (you)', { email: name }) : name} details={describe(colleague)}>
      {!isOwn && (
        <span className={styles.actions}>
          <ActionButton
            text={t('Reset link')}
            label={t('Make a reset link for {email}', { email })}
            isOpen={action === 'reset'}
            onClick={() => toggle('reset')}
          />
          <ActionButton
            text={t('Remove')}
            label={t('Remove {email}', { email })}
            isOpen={action === 'remove'}
            onClick={() => toggle('remove')}
          />
        </span>
      )}
      {action && (
        <OwnPasswordForm
          key={action}
          ownEmail={ownEmail}
          text={describeAction(action, name)}
          submitLabel={action === 'remove' ? t('Remove') : t('Make a link')}
          onSubmit={action === 'remove' ? remove : makeLink}
          onCancel={() => setAction(null)}
        />
      )}
      {link && <CreatedLink link={link} hint={t('Works once, within an hour. You won’t see it again.')} />}
    </ListItem>
  )
}

const describeLookAlike = ({ looksLike }: Colleague) =>
  looksLike && t('Looks like {email}', { email: isolate(looksLike) })

function describe(colleague: Colleague) {
  const { createdAt, lastSeenAt, invitation } = colleague
  const seen = lastSeenAt
    ? t('active {time}', { time: describeTime(lastSeenAt) })
    : t('has not signed in yet')
  const by = describePerson(invitation?.by)
  return [
    describeLookAlike(colleague),
    t('Joined {date} · {seen}', { date: formatDate(createdAt), seen }),
    invitation &&
      (invitation.anyEmail
        ? t('Invited by {by}, with a link for any email', { by })
        : t('Invited by {by}', { by })),
  ]
}

/** `by` is an email; undefined stands for the operator. */
export const describePerson = (by: string | undefined) => (by ? isolate(by) : t('your administrator'))

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
      details={[
        describeLookAlike(colleague),
        t('Removed {when} by {by}', { when: describeTime(removedAt), by: describePerson(removedBy) }),
      ]}
    >
      <span className={styles.actions}>
        {canReturn && (
          <ActionButton
            text={t('Let back in')}
            label={t('Let {email} back in', { email })}
            onClick={onLetIn}
          />
        )}
        {onPick && (
          <ActionButton
            text={t('What must we change?')}
            label={t('What must we change? {email}', { email })}
            onClick={onPick}
          />
        )}
      </span>
    </ListItem>
  )
}

interface ActionButtonProps {
  text: string
  label: string
  isOpen?: boolean
  onClick(): void
}

function ActionButton({ text, label, isOpen, onClick }: ActionButtonProps) {
  return (
    <Button
      translate="no"
      variant={isOpen === undefined ? 'secondary' : 'ghost'}
      aria-label={label}
      aria-expanded={isOpen}
      onClick={onClick}
    >
      {text}
    </Button>
  )
}
