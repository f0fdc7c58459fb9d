import { type CSSProperties, type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import { useNavigate } from 'react-router'
import type { User } from '../../../contract/accounts.ts'
import { secretFieldNames } from '../../../contract/employees.ts'
import { useAccountLocation } from '../../auth/account-location.ts'
import { forgetOwnPassword } from '../../auth/own-password.ts'
import { removeStoredUser, signOutOtherTabs } from '../../auth/stored-user.tsx'
import { reportError } from '../../backends/messages.ts'
import type { Services } from '../../backends/ports.ts'
import { t } from '../../language/translate.ts'
import { whenSettled } from '../../lib/dom.ts'
import { useOpening } from '../../lib/presses/use-opening.ts'
import { whenIdle } from '../../lib/run-when-idle.ts'
import { useAction } from '../../lib/use-action.ts'
import { lazyPart, OnDemand } from '../../ui/lazy-part.tsx'
import { useLiveRegion } from '../../ui/live-region.tsx'
import { Message } from '../../ui/message.tsx'
import { ToastProvider } from '../../ui/toast.tsx'
import { type ConnectionStatus, useConnectionStatus } from '../model/book/sync-employees.ts'
import { textFieldNames } from '../model/fields.ts'
import { createHistory, HistoryContext, useHistory } from '../model/history/history.ts'
import { isUnsaved } from '../model/outbox/entry.ts'
import type { Outbox } from '../model/outbox/outbox.ts'
import type { Tab } from '../model/outbox/tab-lock.ts'
import { useOutbox } from '../model/outbox/use-outbox.ts'
import { OpenDialogContext, useViewState, ViewContext } from '../model/view.ts'
import styles from './records-page.module.css'
import { RecordsWorkspace } from './records-workspace.tsx'
import { TopBar } from './top-bar.tsx'

const AlmostFull = lazyPart<'AlmostFull', { percent: number }>(
  () => import('./notices/connection-notices.tsx'),
  'AlmostFull',
)
const ConnectionAlert = lazyPart(() => import('./notices/connection-notices.tsx'), 'ConnectionAlert')
const IdleParts = lazyPart<'IdleParts', object>(() => import('./idle-parts.tsx'), 'IdleParts')
const ResetLinkNotice = lazyPart(() => import('./notices/reset-link-notice.tsx'), 'ResetLinkNotice')
const UnsavedChangesDialog = lazyPart(() => import('./unsaved-changes-dialog.tsx'), 'UnsavedChangesDialog')

/** How long a logout waits for operations that are being sent, in ms. */
const logoutTimeoutMs = 5_000

/** For the columns of form and table, and the height of a card. */
const fieldCounts = {
  '--texts': textFieldNames.length,
  '--secrets': secretFieldNames.length,
} as CSSProperties

/** Other tabs leave first: what they store later would stay, or be lost. */
async function forgetUser(outbox: Outbox): Promise<void> {
  forgetOwnPassword()
  signOutOtherTabs()
  await outbox.wipe()
}

interface RecordsPageProps {
  user: User
  services: Services
  tab: Promise<Tab>
}

export function RecordsPage({ user, services, tab }: RecordsPageProps) {
  const { outbox, openOutbox } = useOutbox(user.uid, tab)
  const navigate = useNavigate()
  /** The number of unsaved changes in other tabs while the user is asked whether to log out. */
  const [unsavedElsewhere, setUnsavedElsewhere] = useOpening<number>()
  const [history, setHistory] = useState(() => createHistory(services, user))
  const { isLoggingOut } = history
  const accountLocation = useAccountLocation()
  // A search replaces the location's state.
  const [resetLinks] = useState(accountLocation.resetLinks)
  const { connectionStatus, total } = useConnectionStatus(services.documents, openOutbox, !isLoggingOut)
  const isIdle = useIsIdle(connectionStatus !== 'loading')
  useInitialTitle()

  // A second logout would end the session that follows this one.
  const { run } = useAction((error) => reportError('Logout failed:', error))

  async function logOut() {
    const outbox = await openOutbox()
    await outbox.waitUntilIdle(logoutTimeoutMs)
    const elsewhere = await outbox.countUnsavedElsewhere()
    if (outbox.countUnsaved() + elsewhere > 0) setUnsavedElsewhere(elsewhere)
    else await completeLogout(outbox)
  }

  async function completeLogout(outbox: Outbox) {
    setUnsavedElsewhere(null)
    // Stops the synchronization first, so that the end of this session is not reported as an error.
    flushSync(() => setHistory({ ...history, isLoggingOut: true }))
    try {
      await history.sendReports?.()
      await services.identity.signOut()
    } catch (error) {
      setHistory({ ...history, isLoggingOut: false })
      throw error
    }
    await forgetUser(outbox)
    await navigate('/login')
    removeStoredUser()
  }

  return (
    <HistoryContext value={history}>
      <ToastProvider>
        <ViewProvider>
          <div className={styles.page}>
            <TopBar identity={services.identity} isIdle={isIdle} onLogout={() => void run(logOut)} />
            {/* What is entered now would be deleted. */}
            <main className={styles.main} style={fieldCounts} inert={isLoggingOut}>
              {outbox && (
                <>
                  <Message role="status">
                    <OnDemand>{resetLinks && <ResetLinkNotice resetLinks={resetLinks} />}</OnDemand>
                  </Message>
                  <OnDemand isOptional>{isIdle && !isLoggingOut && <IdleParts />}</OnDemand>
                  {!isLoggingOut && (
                    <ConnectionMessages
                      connectionStatus={connectionStatus}
                      outbox={outbox}
                      usedPercent={services.documents.usedPercent}
                    />
                  )}
                  <RecordsWorkspace
                    outbox={outbox}
                    connectionStatus={connectionStatus}
                    total={total}
                    identity={services.identity}
                    isIdle={isIdle}
                    onLogout={() => void run(logOut)}
                  />
                </>
              )}
            </main>
            <OnDemand onGiveUp={() => setUnsavedElsewhere(null)}>
              {unsavedElsewhere !== null && outbox && (
                <UnsavedChangesDialog
                  outbox={outbox}
                  initialElsewhere={unsavedElsewhere}
                  onCancel={() => setUnsavedElsewhere(null)}
                  onLogout={() => void run(() => completeLogout(outbox))}
                />
              )}
            </OnDemand>
          </div>
        </ViewProvider>
      </ToastProvider>
    </HistoryContext>
  )
}

function ViewProvider({ children }: { children: ReactNode }) {
  const [view, openDialog] = useViewState()
  return (
    <ViewContext value={view}>
      <OpenDialogContext value={openDialog}>{children}</OpenDialogContext>
    </ViewContext>
  )
}

interface ConnectionMessagesProps {
  connectionStatus: ConnectionStatus
  outbox: Outbox
  usedPercent: number | undefined
}

/** Reports problems with the connection, the session or the stored entries. */
function ConnectionMessages({ connectionStatus, outbox, usedPercent }: ConnectionMessagesProps) {
  const { email } = useHistory()
  const unsaved = useSyncExternalStore(outbox.subscribe, () => outbox.countUnsaved())
  const isDurable = useSyncExternalStore(outbox.subscribe, () => outbox.isDurable)
  const isAtRisk = useSyncExternalStore(
    outbox.subscribe,
    () => !outbox.isDurable && (outbox.hasLostStorage || outbox.entries().some(isUnsaved)),
  )
  const isOffline = connectionStatus === 'offline'
  const isLive = connectionStatus === 'live'
  const { liveRegion, announce } = useLiveRegion()
  const wasOffline = useRef(false)
  useEffect(() => {
    if (isLive && wasOffline.current) announce(t('You’re back online.'))
    wasOffline.current = isOffline
  }, [isLive, isOffline, announce])
  return (
    <>
      <Message role="alert">
        <OnDemand>
          {(connectionStatus === 'signed-out' ||
            connectionStatus === 'forbidden' ||
            !outbox.isFullyLoaded) && (
            <ConnectionAlert
              connectionStatus={connectionStatus}
              isFullyLoaded={outbox.isFullyLoaded}
              email={email}
              kept={isDurable ? unsaved : 0}
            />
          )}
        </OnDemand>
      </Message>
      <Message role="status">
        {isOffline && `${navigator.onLine ? t('The server isn’t available.') : t('You’re offline.')} `}
        {isOffline && isDurable
          ? t('Changes stay on this device and are saved when you reconnect.')
          : (isOffline || isAtRisk) &&
            `${t('Your browser can’t keep unsaved changes. Keep this page open until they are saved.')} `}
        <OnDemand isOptional>
          {isLive && usedPercent !== undefined && <AlmostFull percent={usedPercent} />}
        </OnDemand>
      </Message>
      {liveRegion}
    </>
  )
}

/** Sets the title of the tab, until `IdleHooks` is loaded, which says more. */
function useInitialTitle() {
  useEffect(() => {
    document.title = `${t('Employee Records')} · Staffbook`
  }, [])
}

/** Whether the browser was idle after the rows were shown. What need not be shown with them waits for it. */
function useIsIdle(hasRows: boolean): boolean {
  const [isIdle, setIsIdle] = useState(false)
  useEffect(() => (hasRows ? whenSettled(whenIdle(), () => setIsIdle(true)) : undefined), [hasRows])
  return isIdle
}
