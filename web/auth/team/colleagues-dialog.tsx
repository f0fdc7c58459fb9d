import { useCallback } from 'react'
import type { TeamService } from '../../backends/ports.ts'
import { useIsSlow } from '../../lib/use-is-slow.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Message } from '../../ui/message.tsx'
import { loading, tryAgain } from '../../ui/words.ts'
import { formatDate, formatTime } from '../messages.ts'
import styles from '../sessions-dialog.module.css'
import { useServiceList } from '../use-service-list.ts'
import * as words from './words.ts'

interface ColleaguesDialogProps {
  /** Of the signed-in account. */
  email: string
  loadTeam(): Promise<TeamService>
  onClose(): void
}

/** Lists everyone who can read the records. */
export function ColleaguesDialog({ email: ownEmail, loadTeam, onClose }: ColleaguesDialogProps) {
  const read = useCallback(async () => (await loadTeam()).listColleagues(), [loadTeam])
  const { list, isLoading, error, load } = useServiceList('The colleagues were not read:', read)
  const isSlow = useIsSlow(isLoading)
  return (
    <Dialog title={words.colleagues} onClose={onClose}>
      <div className={styles.column}>
        <p>{list ? words.whoHasAccess(list.length) : isSlow && loading}</p>
        <Message role="alert">{error}</Message>
        {!list && error && (
          <p>
            <Button onClick={load}>{tryAgain}</Button>
          </p>
        )}
        <ul className={styles.list}>
          {list?.map(({ email, createdAt, lastSeenAt }) => (
            <li key={email} className={styles.session}>
              <div>
                <p className={styles.name}>
                  {email}
                  {email === ownEmail && ` ${words.you}`}
                </p>
                <p className={styles.time}>
                  {words.since(formatDate(createdAt))} ·{' '}
                  {lastSeenAt ? words.lastSeen(formatTime(lastSeenAt)) : words.neverSeen}
                </p>
              </div>
            </li>
          ))}
        </ul>
        <p>{words.howToRemove}</p>
      </div>
    </Dialog>
  )
}
