import { useCallback } from 'react'
import type { Colleague } from '../../../contract/accounts.ts'
import type { TeamService } from '../../backends/ports.ts'
import { describeTime, formatDate } from '../../lib/times.ts'
import { useServiceList } from '../../lib/use-service-list.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import styles from '../../ui/list.module.css'
import { ListStatus } from '../../ui/message.tsx'
import headingStyles from './invite-dialog.module.css'
import * as messages from './messages.ts'

interface ColleaguesDialogProps {
  /** The email of the signed-in account. */
  email: string
  loadTeam(): Promise<TeamService>
  onClose(): void
  /** Called with the id of the account whose known passwords must change. Without it, nobody can tell. */
  onPick?(accountId: string): void
}

/** Lists everyone who can read the records, and those who could. */
export function ColleaguesDialog({ email, loadTeam, onClose, onPick }: ColleaguesDialogProps) {
  const read = useCallback(async () => (await loadTeam()).listColleagues(), [loadTeam])
  const colleagues = useServiceList('The colleagues were not read:', read)
  const { list } = colleagues
  const present = list?.filter(({ removedAt }) => !removedAt) ?? []
  const former = list?.filter(({ removedAt }) => removedAt) ?? []
  const renderColleague = (colleague: Colleague) => (
    <ColleagueItem
      key={colleague.id}
      colleague={colleague}
      isOwn={colleague.email === email}
      onPick={onPick}
    />
  )
  return (
    <Dialog title={messages.colleagues} onClose={onClose}>
      <div tabIndex={-1} className={styles.column}>
        {list && <p>{messages.whoHasAccess(present.length)}</p>}
        <ul className={styles.list}>{present.map(renderColleague)}</ul>
        <p>{messages.howToRemove}</p>
        {onPick && former.length > 0 && (
          <>
            <h3 className={headingStyles.heading}>{messages.former}</h3>
            <ul className={styles.list}>{former.map(renderColleague)}</ul>
          </>
        )}
        <ListStatus {...colleagues} />
      </div>
    </Dialog>
  )
}

interface ColleagueItemProps {
  colleague: Colleague
  isOwn: boolean
  onPick: ((accountId: string) => void) | undefined
}

function ColleagueItem({ colleague, isOwn, onPick }: ColleagueItemProps) {
  const { id, email, createdAt, lastSeenAt, removedAt, invitation } = colleague
  const isFormer = removedAt !== undefined
  const whatTheyKnow = isFormer ? messages.whatMustWeChange : messages.passwordsTheyKnow
  return (
    <li className={styles.item}>
      <div>
        <p className={styles.name}>
          {email}
          {isOwn && !isFormer && ` ${messages.you}`}
        </p>
        <p className={styles.time}>
          {isFormer
            ? messages.removed(formatDate(removedAt))
            : `${messages.since(formatDate(createdAt))} · ${lastSeenAt ? messages.lastSeen(describeTime(lastSeenAt)) : messages.neverSeen}`}
        </p>
        {invitation && (
          <p className={styles.time}>
            {messages.invitedBy(invitation.by ?? messages.operator, invitation.anyEmail)}
          </p>
        )}
      </div>
      {onPick && (isFormer || !isOwn) && (
        <Button aria-label={`${whatTheyKnow} ${email}`} onClick={() => onPick(id)}>
          {whatTheyKnow}
        </Button>
      )}
    </li>
  )
}
