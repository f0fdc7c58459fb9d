import { useCallback, useEffect, useRef, useState } from 'react'
import type { SessionInfo } from '../../contract/accounts.ts'
import type { ActivityEntry, ActivityPage } from '../../contract/activity/activity.ts'
import type { IdentityService, SessionService } from '../backends/ports.ts'
import { useServiceList } from '../backends/use-service-list.ts'
import { translateBrowser } from '../language/browser-name.ts'
import { t } from '../language/translate.ts'
import { whenSettled } from '../lib/dom.ts'
import { describeTime, formatTime } from '../lib/times/times.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import styles from '../ui/list.module.css'
import { ListItem, ListStatus, OnceButton, type OnceItemProps } from '../ui/list.tsx'
import { Text } from '../ui/message.tsx'
import { Passkeys } from './passkeys.tsx'
import { ConnectedNote } from './sso/own-proof.tsx'
import { useConfirmation } from './sso/use-confirmation.ts'

interface SessionsDialogProps {
  email: string
  identity: IdentityService
  sessions: SessionService
  /** What the account has done to sign in, the latest first. */
  listOwn?: () => Promise<ActivityPage>
  onClose(): void
}

/** So many of the last sign-ins are listed. */
const maxSignIns = 5

/** Lists the sessions of the signed-in account, the current one first, and ends the others. Below them are its passkeys. */
export function SessionsDialog({ email, identity, sessions, listOwn, onClose }: SessionsDialogProps) {
  const { passkeys } = identity
  const confirmation = useConfirmation(identity)
  const read = useCallback(async () => (await sessions.list()).sort(compare), [sessions])
  const sessionList = useServiceList('The sessions were not read or ended:', read)
  const { list, isGone, change } = sessionList
  const ownBrowser = list?.find(({ current }) => current)?.browser
  const others = list?.filter((session) => !session.current && !isGone(session)) ?? []
  const container = useRef<HTMLElement>(null)

  /** The pressed button disappears, so the list takes the focus. */
  async function endOthers() {
    if (await change(t('Signed out everywhere else.'), () => sessions.endOthers())) container.current?.focus()
  }

  return (
    <Dialog title={t('Sessions and passkeys')} onClose={onClose}>
      <section
        ref={container}
        tabIndex={-1}
        className={styles.column}
        aria-label={t('Where you’re signed in')}
      >
        <h3>{t('Where you’re signed in')}</h3>
        <ConnectedNote confirmation={confirmation} />
        <ul className={styles.list}>
          {list?.map((session) => (
            <SessionItem
              key={session.id}
              item={session}
              isDone={isGone(session)}
              onClick={() => change(t('Signed out.'), () => sessions.end(session.id))}
            />
          ))}
        </ul>
        {list && others.length === 0 && <p>{t('You’re not signed in anywhere else.')}</p>}
        {others.length > 1 && (
          <p>
            <Button onClick={endOthers}>{t('Sign out all other browsers')}</Button>
          </p>
        )}
        <ListStatus {...sessionList} />
      </section>
      {listOwn && <LastSignIns list={listOwn} />}
      {passkeys && !confirmation?.provider.only && (
        <Passkeys
          identity={identity}
          ownEmail={email}
          browser={ownBrowser ? translateBrowser(ownBrowser) : t('Passkey')}
          passkeys={passkeys}
          hasPassword={confirmation?.by !== 'sso'}
        />
      )}
    </Dialog>
  )
}

function LastSignIns({ list }: { list: () => Promise<ActivityPage> }) {
  const [entries, setEntries] = useState<ActivityEntry[]>([])
  const [read] = useState(() => list)
  useEffect(() => whenSettled(read(), ({ entries }) => setEntries(entries)), [read])
  const signIns = entries.filter(({ kind }) => kind.startsWith('sign-in')).slice(0, maxSignIns)
  if (signIns.length === 0) return null
  return (
    <section className={styles.column} aria-label={t('Last sign-ins')}>
      <h3>{t('Last sign-ins')}</h3>
      <ul className={`${styles.list} ${styles.compact} ${styles.timed}`}>
        {signIns.map(({ id, at, kind, browser }) => (
          <li key={id} className={styles.item}>
            <p>
              <Text>
                {[
                  browser ? translateBrowser(browser) : t('Another browser'),
                  kind === 'sign-in-new-browser' && t('Signed in from a new browser'),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </Text>
            </p>
            <p className={styles.time}>{formatTime(at)}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function SessionItem({ item: session, ...button }: OnceItemProps<SessionInfo>) {
  const browser = session.browser ? translateBrowser(session.browser) : t('Another browser')
  const time = formatTime(session.createdAt)
  const active = session.current
    ? t('Active now · this browser')
    : t('Active {time}', { time: describeTime(session.lastSeenAt) })
  return (
    <ListItem name={browser} details={[active, t('Signed in {time}', { time })]} className={styles.joined}>
      {!session.current && (
        <OnceButton
          {...button}
          verbs={[t('Sign out'), t('Signed out')]}
          labels={[
            t('Sign out {browser}, signed in {time}', { browser, time }),
            t('Signed out {browser}, signed in {time}', { browser, time }),
          ]}
        />
      )}
    </ListItem>
  )
}

/** The current one first, then the latest used. */
function compare(a: SessionInfo, b: SessionInfo): number {
  return Number(b.current) - Number(a.current) || b.lastSeenAt.localeCompare(a.lastSeenAt)
}
