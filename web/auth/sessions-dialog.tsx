import { useCallback, useRef } from 'react'
import type { SessionInfo } from '../../contract/accounts.ts'
import type { IdentityService, SessionService } from '../backends/ports.ts'
import { useServiceList } from '../backends/use-service-list.ts'
import { t } from '../language/translate.ts'
import { describeTime, formatTime } from '../lib/times.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import styles from '../ui/list.module.css'
import { ListItem, ListStatus, OnceButton, type OnceItemProps } from '../ui/list.tsx'
import { Passkeys } from './passkeys.tsx'

interface SessionsDialogProps {
  email: string
  identity: IdentityService
  sessions: SessionService
  onClose(): void
}

/** Lists the sessions of the signed-in account, the current one first, and ends the others. Below them are its passkeys. */
export function SessionsDialog({ email, identity, sessions, onClose }: SessionsDialogProps) {
  const { passkeys } = identity
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
      {passkeys && (
        <Passkeys
          ownEmail={email}
          browser={ownBrowser ? nameBrowser(ownBrowser) : t('Passkey')}
          passkeys={passkeys}
        />
      )}
    </Dialog>
  )
}

function SessionItem({ item: session, ...button }: OnceItemProps<SessionInfo>) {
  const browser = session.browser ? nameBrowser(session.browser) : t('Another browser')
  const time = formatTime(session.createdAt)
  const active = session.current
    ? t('Active now · this browser')
    : t('Active {time}', { time: describeTime(session.lastSeenAt) })
  return (
    <ListItem name={browser} details={[active, t('Signed in {time}', { time })]}>
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

/** Translates what server/auth/browser-name.ts returns: "Firefox on Linux". */
function nameBrowser(name: string): string {
  const [browser = '', system] = name.split(' on ')
  return system ? t('{browser} on {system}', { browser, system }) : name
}

/** The current one first, then the latest used. */
function compare(a: SessionInfo, b: SessionInfo): number {
  return Number(b.current) - Number(a.current) || b.lastSeenAt.localeCompare(a.lastSeenAt)
}
