import { useEffect, useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import { useNavigate } from 'react-router'
import type { User } from '../../contract/accounts.ts'
import { removeStoredUser } from '../auth/stored-user.ts'
import type { Services } from '../backends/ports.ts'
import type { Store } from '../store.ts'
import { Link } from '../ui/link.tsx'
import { Message } from '../ui/message.tsx'
import type { Tab } from './outbox/encrypted-store.ts'
import { isUnsaved } from './outbox/entry.ts'
import type { Outbox } from './outbox/outbox.ts'
import { LogoutDialog } from './outbox/unsaved-changes-dialog.tsx'
import { type OpenOutbox, useOutbox } from './outbox/use-outbox.ts'
import styles from './records-page.module.css'
import { Desk } from './records-workspace.tsx'
import type { Line } from './sync/sync-employees.ts'
import { useLine } from './sync/use-connection-status.ts'
import { TopBar } from './top-bar.tsx'

/** How long logging out waits for what is on its way, in ms. */
const longestWaitAtLogout = 5_000

interface RecordsScreenProps {
  user: User
  services: Services
  store: Store
  tab: Promise<Tab>
}

/** The page of the specification: /form. */
export function RecordsScreen({ user, services, store, tab }: RecordsScreenProps) {
  const { open, opening } = useOutbox(user.uid, store, tab)
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const line = useLine({ store, services, shown: opening, isWanted: !isLeaving })

  useEffect(() => {
    document.title = 'Employee Records · Staffbook'
  }, [])

  async function logOut() {
    const { outbox } = await opening
    await outbox.settled(longestWaitAtLogout)
    if (outbox.entries().some(isUnsaved)) setAsking(true)
    else await leave(outbox)
  }

  async function leave(outbox: Outbox) {
    setAsking(false)
    // The session that ends now ends as it should: nothing to be told of, and no line to be sought again.
    flushSync(() => setLeaving(true))
    try {
      await services.identity.signOut()
    } catch (error) {
      console.error('Logout failed:', error)
      setLeaving(false)
      return
    }
    await outbox.wipe()
    await navigate('/login')
    removeStoredUser()
  }

  return (
    <div className={styles.page}>
      <TopBar email={user.email} identity={services.identity} onLogout={logOut} />
      <main className={styles.main}>
        {open && (
          <>
            {!isLeaving && <LineMessages line={line} open={open} email={user.email} />}
            <Desk store={store} outbox={open.outbox} typedBefore={open.typedBefore} line={line} />
          </>
        )}
      </main>
      {isAsking && open && (
        <LogoutDialog
          outbox={open.outbox}
          onStay={() => setAsking(false)}
          onLeave={() => void leave(open.outbox)}
        />
      )}
    </div>
  )
}

/** Says how the page stands to the service and to what it keeps, where that is not as it should be. */
function LineMessages({ line, open, email }: { line: Line; open: OpenOutbox; email: string }) {
  const { outbox, isWhole } = open
  const entries = useSyncExternalStore(outbox.subscribe, outbox.entries)
  const hasEnded =
    line === 'ended' ||
    entries.some((entry) => entry.state === 'refused' && entry.refusal.code === 'not-signed-in')
  return (
    <>
      <Message role="alert">
        {hasEnded && (
          <>
            Your session has ended. What you typed is kept until you log out.{' '}
            <Link to="/signin" state={{ ended: true, email }}>
              Sign in again
            </Link>
          </>
        )}
        {!isWhole && 'What you may have left unsaved can’t be read now. Reload the page to try again. '}
        {line === 'closed' && 'Your account may not open this register. Ask the person who runs it.'}
      </Message>
      <Message role="status">
        {line === 'lost' && 'No connection to the register. What you save now is sent when it is back.'}
      </Message>
    </>
  )
}
