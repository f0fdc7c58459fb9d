import { useCallback } from 'react'
import type { TeamService } from '../backends/ports.ts'
import { useIsSlow } from '../lib/use-is-slow.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Message } from '../ui/message.tsx'
import { formatDate, formatTime } from './messages.ts'
import styles from './sessions-dialog.module.css'
import { useServiceList } from './use-service-list.ts'

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
    <Dialog title="Colleagues" onClose={onClose}>
      <div className={styles.column}>
        <p>{list ? `${formatCount(list.length)} can read and change every record.` : isSlow && 'Loading…'}</p>
        <Message role="alert">{error}</Message>
        {!list && error && (
          <p>
            <Button onClick={load}>Try again</Button>
          </p>
        )}
        <ul className={styles.list}>
          {list?.map(({ email, createdAt, lastSeenAt }) => (
            <li key={email} className={styles.session}>
              <div>
                <p className={styles.name}>
                  {email}
                  {email === ownEmail && ' (you)'}
                </p>
                <p className={styles.time}>
                  Since {formatDate(createdAt)} ·{' '}
                  {lastSeenAt ? `last seen ${formatTime(lastSeenAt)}` : 'has not signed in yet'}
                </p>
              </div>
            </li>
          ))}
        </ul>
        <p>To remove an account, ask whoever runs this register.</p>
      </div>
    </Dialog>
  )
}

const formatCount = (count: number) =>
  count === 1 ? 'One account' : `${new Intl.NumberFormat().format(count)} accounts`
