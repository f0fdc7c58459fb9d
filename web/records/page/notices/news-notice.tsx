import { useEffect, useState } from 'react'
import type { ActivityEntry } from '../../../../contract/activity/activity.ts'
import type { HistoryService } from '../../../backends/ports.ts'
import { translateBrowser } from '../../../language/browser-name.ts'
import { currentLanguage, t } from '../../../language/translate.ts'
import { loadOnReturn } from '../../../lib/dom.ts'
import { isolate } from '../../../lib/isolate.ts'
import { describeTime } from '../../../lib/times/times.ts'
import { Button } from '../../../ui/button.tsx'
import { Message, Text } from '../../../ui/message.tsx'
import { useAppSelector } from '../../model/book/store.ts'
import { displayName } from '../../model/fields.ts'
import { pageCommands } from '../../model/keys/page-commands.ts'
import { useView } from '../../model/view.ts'
import styles from './news-notice.module.css'

/** Tells once, until it is dismissed, of sign-ins from new browsers and of opened hand-overs. */
export function NewsNotice({ service }: { service: HistoryService }) {
  const [entries, setEntries] = useState<ActivityEntry[]>([])
  const { focus, setDialog } = useView()
  useEffect(() => {
    const reading = new AbortController()
    const stop = loadOnReturn(() => service.listNews(reading.signal), setEntries)
    return () => {
      stop()
      // A logout would make the request fail, which the browser logs.
      reading.abort()
    }
  }, [service])

  function dismiss() {
    // If it fails, it is told again.
    void service.forgetNews(entries.map(({ id }) => id)).catch(() => {})
    setEntries([])
    focus({ on: 'search' })
  }

  const opened = entries.filter(({ kind }) => kind !== 'sign-in-new-browser')
  const isMany = opened.length > 1
  const isSignedIn = entries.some(({ kind }) => kind === 'sign-in-new-browser')
  return (
    <Message role="status">
      {entries.length > 0 && (
        <div className={styles.news}>
          <div className={styles.text}>
            {entries
              .filter((entry) => !isMany || !opened.includes(entry))
              .map((entry) => (
                <News key={entry.id} entry={entry} />
              ))}
            {isMany && <OpenedLinks records={opened.map(({ record }) => record)} />}
          </div>
          <p className={styles.buttons}>
            {isSignedIn && (
              <Button onClick={() => setDialog({ kind: 'password' })}>
                {t(pageCommands.password.label)}
              </Button>
            )}
            <Button onClick={dismiss}>{t('OK')}</Button>
          </p>
        </div>
      )}
    </Message>
  )
}

function News({ entry: { kind, at, browser, record } }: { entry: ActivityEntry }) {
  const employee = useAppSelector(({ book }) => book.find(({ id }) => id === record))
  const when = describeTime(at)
  return (
    <p>
      <Text>
        {kind === 'sign-in-new-browser'
          ? t('Signed in from {browser}, {when}. Wasn’t that you?', {
              browser: browser ? translateBrowser(browser) : t('another browser'),
              when,
            })
          : t('The link to the credential of {name} was opened {when}.', {
              name: employee ? isolate(displayName(employee)) : t('a deleted record'),
              when,
            })}
      </Text>
    </p>
  )
}

/** The number of records that are named. */
const maxNames = 3

/** One text for all opened links: a sheet may have hundreds. */
function OpenedLinks({ records }: { records: readonly ActivityEntry['record'][] }) {
  const employees = useAppSelector(({ book }) => book.filter(({ id }) => records.includes(id)))
  const names = employees.slice(0, maxNames).map((employee) => isolate(displayName(employee)))
  if (names.length < Math.min(maxNames, records.length)) names.push(t('a deleted record'))
  return (
    <p>
      <Text>
        {t(
          '{others, plural, =0 {Links to credentials were opened: {names}.} one {Links to credentials were opened: {names} and # more.} other {Links to credentials were opened: {names} and # more.}}',
          {
            names: new Intl.ListFormat(currentLanguage(), { type: 'unit' }).format(names),
            others: Math.max(0, new Set(records).size - names.length),
          },
        )}
      </Text>
    </p>
  )
}
