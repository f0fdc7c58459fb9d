import { useCallback, useRef } from 'react'
import type { SessionInfo } from '../../contract/accounts.ts'
import type { IdentityService, SessionService } from '../backends/ports.ts'
import { useServiceList } from '../backends/use-service-list.ts'
import { describeTime, formatTime } from '../lib/times.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import styles from '../ui/list.module.css'
import { ListItem, ListStatus, OnceButton } from '../ui/list.tsx'
import * as messages from './dialog-messages.ts'
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
  const others = list?.filter((session) => !session.current && !isGone(session)) ?? []
  const container = useRef<HTMLElement>(null)

  /** The pressed button disappears, so the list takes the focus. */
  async function endOthers() {
    if (await change(messages.signedOutOthers, () => sessions.endOthers())) container.current?.focus()
  }

  return (
    <Dialog title={messages.sessionsAndPasskeys} onClose={onClose}>
      <section ref={container} tabIndex={-1} className={styles.column} aria-label={messages.sessions}>
        <h3>{messages.sessions}</h3>
        <ul className={styles.list}>
          {list?.map((session) => {
            const { id, current, browser = messages.anotherBrowser } = session
            const since = formatTime(session.createdAt)
            const active = current
              ? messages.thisBrowser
              : messages.lastActive(describeTime(session.lastSeenAt))
            return (
              <ListItem key={id} name={browser} details={[active, messages.signedIn(since)]}>
                {!current && (
                  <OnceButton
                    verbs={messages.signOut}
                    label={(verb) => messages.signOutLabel(verb, browser, since)}
                    isDone={isGone(session)}
                    onClick={() => change(messages.signedOutBrowser, () => sessions.end(id))}
                  />
                )}
              </ListItem>
            )
          })}
        </ul>
        {list && others.length === 0 && <p>{messages.noOthers}</p>}
        {others.length > 1 && (
          <p>
            <Button onClick={endOthers}>{messages.signOutOthers}</Button>
          </p>
        )}
        <ListStatus {...sessionList} />
      </section>
      {passkeys && (
        <Passkeys
          ownEmail={email}
          browser={list?.find(({ current }) => current)?.browser ?? messages.unnamedPasskey}
          passkeys={passkeys}
        />
      )}
    </Dialog>
  )
}

/** The current one first, then the latest used. */
function compare(a: SessionInfo, b: SessionInfo): number {
  return Number(b.current) - Number(a.current) || b.lastSeenAt.localeCompare(a.lastSeenAt)
}
