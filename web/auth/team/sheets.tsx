import type { TeamService } from '../../backends/ports.ts'
import { describeTime, formatTime } from '../../lib/times.ts'
import { useServiceList } from '../../lib/use-service-list.ts'
import { Button } from '../../ui/button.tsx'
import listStyles from '../../ui/list.module.css'
import { ListStatus } from '../../ui/message.tsx'
import * as messages from './messages.ts'
import styles from './team-dialog.module.css'

/** The sheets of links that nobody has opened yet, each to be revoked as a whole. */
export function Sheets({ team }: { team: TeamService }) {
  const sheets = useServiceList('The sheets were not read or changed:', team.listSheets)
  const { list, isGone, change } = sheets
  // If it can't be read, neither can the colleagues, whose list says so.
  if (!list || list.length === 0) return
  return (
    <div tabIndex={-1} className={listStyles.column}>
      <h3 className={styles.heading}>{messages.sheets}</h3>
      <ul className={listStyles.list} aria-label={messages.sheets}>
        {list.map((sheet) => {
          const { id, by, createdAt, expiresAt, open, opened } = sheet
          const { text, label } = isGone(sheet) ? messages.isSheetRevoked : messages.revokeSheet
          return (
            <li key={id} className={listStyles.item}>
              <div>
                <p className={listStyles.name}>{messages.openOf(open, opened)}</p>
                <p className={listStyles.time}>
                  {messages.sheetBy(by, describeTime(createdAt), describeTime(expiresAt))}
                </p>
              </div>
              <Button
                aria-label={label(by, formatTime(createdAt))}
                isDone={isGone(sheet)}
                onClick={() => change(messages.sheetRevoked, () => team.revokeSheet(id))}
              >
                {text}
              </Button>
            </li>
          )
        })}
      </ul>
      <ListStatus {...sheets} />
    </div>
  )
}
