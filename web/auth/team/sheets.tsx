import type { TeamService } from '../../backends/ports.ts'
import { useServiceList } from '../../backends/use-service-list.ts'
import { t } from '../../language/translate.ts'
import { isolate } from '../../lib/isolate.ts'
import { describeTime, formatTime } from '../../lib/times/times.ts'
import listStyles from '../../ui/list.module.css'
import { ListItem, ListStatus, OnceButton } from '../../ui/list.tsx'

/** The sheets of links that nobody has opened yet, each to be revoked as a whole. */
export function Sheets({ team }: { team: TeamService }) {
  const sheets = useServiceList('The sheets were not read or changed:', team.listSheets)
  const { list, isGone, change } = sheets
  // If it can't be read, neither can the colleagues, whose list says so.
  if (!list || list.length === 0) return
  return (
    <div tabIndex={-1} className={listStyles.column}>
      <h3>{t('Sheets of links to credentials')}</h3>
      <ul className={listStyles.list} aria-label={t('Sheets of links to credentials')}>
        {list.map((sheet) => {
          const { id, by, createdAt, expiresAt, open, opened } = sheet
          const made = { by, time: formatTime(createdAt) }
          const times = { made: describeTime(createdAt), expires: describeTime(expiresAt) }
          return (
            <ListItem
              key={id}
              name={t(
                'Sheet of {count, plural, one {# link} other {# links}}, {opened, plural, other {# opened}}',
                { count: open + opened, opened },
              )}
              details={[
                isGone(sheet)
                  ? t('By {by}', { by: isolate(by) })
                  : t('By {by}, {made} · expires {expires}', { by: isolate(by), ...times }),
              ]}
            >
              <OnceButton
                verbs={[t('Revoke all'), t('Links revoked')]}
                labels={[
                  t('Revoke all links of the sheet by {by}, {time}', made),
                  t('Revoked all links of the sheet by {by}, {time}', made),
                ]}
                isDone={isGone(sheet)}
                onClick={() => change(t('Links revoked.'), () => team.revokeSheet(id))}
              />
            </ListItem>
          )
        })}
      </ul>
      <ListStatus {...sheets} />
    </div>
  )
}
