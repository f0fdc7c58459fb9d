import { type ReactNode, useState } from 'react'
import { type Colleague, type IdentityPolicy, letInDays } from '../../../contract/accounts.ts'
import type { IdentityService, TeamService } from '../../backends/ports.ts'
import { t } from '../../language/translate.ts'
import { isolate } from '../../lib/isolate.ts'
import { pageAddress } from '../../lib/page-address.ts'
import { describeTime, formatDate } from '../../lib/times/times.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import listStyles from '../../ui/list.module.css'
import { Text } from '../../ui/message.tsx'
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
  identity: IdentityService
  /** The single sign-on of the service, if it has one. */
  provider: IdentityPolicy['sso']
  ownEmail: string
  team: TeamService
  /** The account that is opened: one at a time, so that there is one form for a password. */
  openId: string | null
  setOpenId(id: string | null): void
  onRemoved(): void
}

interface AccountLineProps extends Pick<ColleagueItemProps, 'colleague' | 'openId' | 'setOpenId'> {
  name: string
  /** What is told of it in the line. */
  summary: string
  /** What it tells and offers when it is open. */
  children: ReactNode
}

/** An account in a line, which opens. */
function AccountLine({ colleague, name, summary, openId, setOpenId, children }: AccountLineProps) {
  const { id, email } = colleague
  const isOpen = id === openId
  return (
    <li className={styles.member}>
      <p className={styles.name}>
        <Text>{name}</Text>
      </p>
      <p className={styles.seen}>
        <Text>{summary}</Text>
      </p>
      <IconButton
        icon="ellipsis"
        translate="no"
        aria-label={t('More about {email}', { email })}
        aria-expanded={isOpen}
        onClick={() => setOpenId(isOpen ? null : id)}
      />
      {colleague.looksLike && (
        <p className={styles.more}>
          <Text>{describeLookAlike(colleague)}</Text>
        </p>
      )}
      {isOpen && <div className={styles.more}>{children}</div>}
    </li>
  )
}

const renderDetail = (detail: string | false | undefined) =>
  detail && (
    <p key={detail} className={listStyles.time}>
      <Text>{detail}</Text>
    </p>
  )

/** Tells when somebody was active, and in detail what others may do to the account. */
export function ColleagueItem(props: ColleagueItemProps) {
  const { colleague, provider, ownEmail } = props
  const { email, lastSeenAt } = colleague
  const name = isolate(email)
  return (
    <AccountLine
      {...props}
      name={email === ownEmail ? t('{email} (you)', { email: name }) : name}
      summary={lastSeenAt ? t('Active {time}', { time: describeTime(lastSeenAt) }) : t('Never signed in')}
    >
      {describe(colleague, provider).map(renderDetail)}
      {email !== ownEmail && <ColleagueActions {...props} />}
    </AccountLine>
  )
}

/** What others may do to an account after entering their own password. */
function ColleagueActions({ colleague, identity, provider, ownEmail, team, onRemoved }: ColleagueItemProps) {
  const { id, email } = colleague
  const name = isolate(email)
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
    <>
      <span className={styles.actions}>
        {!provider?.only && (
          <ActionButton
            text={t('Reset link')}
            label={t('Make a reset link for {email}', { email })}
            isOpen={action === 'reset'}
            onClick={() => toggle('reset')}
          />
        )}
        <ActionButton
          className={styles.danger}
          text={t('Remove…')}
          label={t('Remove {email}…', { email })}
          isOpen={action === 'remove'}
          onClick={() => toggle('remove')}
        />
      </span>
      {action && (
        <OwnPasswordForm
          key={action}
          {...{ identity, ownEmail }}
          text={describeAction(action, name)}
          submitLabel={action === 'remove' ? t('Remove {email}', { email: name }) : t('Make a link')}
          isDangerous={action === 'remove'}
          onSubmit={action === 'remove' ? remove : makeLink}
          onCancel={() => setAction(null)}
        />
      )}
      {link && <CreatedLink link={link} hint={t('Works once, within an hour. You won’t see it again.')} />}
    </>
  )
}

const describeLookAlike = ({ looksLike }: Colleague) =>
  looksLike && t('Looks like {email}', { email: isolate(looksLike) })

function describe(colleague: Colleague, provider: IdentityPolicy['sso']) {
  const { createdAt, invitation, sso } = colleague
  const by = describePerson(invitation?.by)
  return [
    t('Joined {date}', { date: formatDate(createdAt) }),
    invitation &&
      (invitation.anyEmail
        ? t('Invited by {by}, with a link for any email', { by })
        : t('Invited by {by}', { by })),
    sso && provider && t('Signs in with {name}', { name: isolate(provider.name) }),
  ]
}

/** `by` is an email; undefined stands for the operator. */
export const describePerson = (by: string | undefined) => (by ? isolate(by) : t('your administrator'))

interface RemovedItemProps extends Pick<ColleagueItemProps, 'colleague' | 'openId' | 'setOpenId'> {
  onPick: (() => void) | undefined
  onLetIn(): void
}

/** Tells when an account was removed, and in detail by whom and what can be done now. */
export function RemovedItem({ onPick, onLetIn, ...line }: RemovedItemProps) {
  const { id, email, removedAt = '', removedBy, canReturn } = line.colleague
  const when = describeTime(removedAt)
  // The first of the details says it too.
  const summary = line.openId === id ? '' : t('Removed {when}', { when })
  return (
    <AccountLine {...line} name={isolate(email)} summary={summary}>
      {renderDetail(t('Removed {when} by {by}', { when, by: describePerson(removedBy) }))}
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
    </AccountLine>
  )
}

interface ActionButtonProps {
  text: string
  label: string
  isOpen?: boolean
  className?: string | undefined
  onClick(): void
}

function ActionButton({ text, label, isOpen, ...button }: ActionButtonProps) {
  return (
    <Button translate="no" aria-label={label} aria-expanded={isOpen} {...button}>
      {text}
    </Button>
  )
}
