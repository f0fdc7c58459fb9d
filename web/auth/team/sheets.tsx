import type { TeamService } from '../../backends/ports.ts'
import { useServiceList } from '../../backends/use-service-list.ts'
import { isolate } from '../../lib/isolate.ts'
import { describeTime, formatTime } from '../../lib/times.ts'
import listStyles from '../../ui/list.module.css'
import { ListItem, ListStatus, OnceButton } from '../../ui/list.tsx'
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
          return (
            <ListItem
              key={id}
              name={messages.openOf(open, opened)}
              details={[messages.sheetBy(isolate(by), describeTime(createdAt), describeTime(expiresAt))]}
            >
              <OnceButton
                verbs={messages.revokeSheet}
                label={() => messages.revokeSheetLabel(isGone(sheet), by, formatTime(createdAt))}
                isDone={isGone(sheet)}
                onClick={() => change(messages.sheetRevoked, () => team.revokeSheet(id))}
              />
            </ListItem>
          )
        })}
      </ul>
      <ListStatus {...sheets} />
    </div>
  )
}
