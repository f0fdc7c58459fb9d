import { type ReactNode, useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { changePasswordHash } from '../../../contract/protocol.ts'
import type { IdentityService } from '../../backends/ports.ts'
import { t } from '../../language/translate.ts'
import { isWithin, listen } from '../../lib/dom.ts'
import { watchForNewBuild } from '../../lib/new-build.ts'
import { keepPresses } from '../../lib/presses/keep-presses.ts'
import { openAtOnce } from '../../lib/presses/use-opening.ts'
import { Icon } from '../../ui/icon.tsx'
import { LanguageSwitch } from '../../ui/language-switch.tsx'
import { preloadParts } from '../../ui/lazy-part.tsx'
import { MenuItem } from '../../ui/menu/menu.tsx'
import { ThemeSwitch } from '../../ui/theme-switch.tsx'
import { useToast } from '../../ui/toast.tsx'
import { readActivityAhead } from '../model/activity/read-ahead.ts'
import type { RecordList } from '../model/book/sync-employees.ts'
import { useDecodedEmails } from '../model/book/use-decoded-emails.ts'
import { useHistory } from '../model/history/history.ts'
import { pageCommands } from '../model/keys/page-commands.ts'
import type { Entry } from '../model/outbox/entry.ts'
import { type AccountDialogKind, activityHash, useView } from '../model/view.ts'
import { Tooltips } from '../register/tooltips.tsx'
import styles from './account-menu.module.css'
import { KeptNotice } from './notices/kept-notice.tsx'
import { NewsNotice } from './notices/news-notice.tsx'
import { usePageTitle } from './use-page-title.ts'
import { useUndoInFields } from './use-undo-in-fields.ts'

/** What need not be there with the first rows, and is loaded in one chunk after them. */
export function IdleParts() {
  const { service } = useHistory()
  useNewBuild()
  useEffect(keepPresses, [])
  return (
    <>
      <Tooltips />
      <KeptNotice />
      {service && <NewsNotice service={service} />}
    </>
  )
}

interface IdleHooksProps {
  list: RecordList
  entries: readonly Entry[]
  onUndo: (() => void) | null
}

/**
 * What the page does beside showing the records: its title, emails as people write them, undo in empty fields, a word about passwords
 * of several lines, and loading its parts ahead. Renders nothing.
 */
export function IdleHooks({ list, entries, onUndo }: IdleHooksProps) {
  usePageTitle(list, entries)
  useDecodedEmails()
  useUndoInFields(onUndo)
  usePastedLines()
  usePreload(list.status === 'loaded')
  return null
}

/** Says that a password is no longer what was pasted or dropped: browsers remove line breaks, or make spaces of them. */
function usePastedLines() {
  const showToast = useToast()
  useEffect(() => {
    function handlePaste(event: ClipboardEvent | DragEvent) {
      if (!isWithin(event.target, 'input[autocomplete$="password"]')) return
      const data = 'clipboardData' in event ? event.clipboardData : event.dataTransfer
      if (/[\r\n]/.test(data?.getData('text/plain').trim() ?? ''))
        showToast(t('The pasted password had several lines, and is now one.'))
    }
    return listen(document, 'paste drop', handlePaste)
  }, [showToast])
}

/** Preloads the lazy parts, so that they open without a network, unless the browser saves data. */
function usePreload(isReady: boolean) {
  useEffect(() => {
    const { connection } = navigator as { connection?: { saveData?: boolean } }
    if (!isReady || connection?.saveData) return
    const controller = new AbortController()
    void preloadParts(controller.signal).then((areLoaded) => areLoaded && openAtOnce())
    return () => controller.abort()
  }, [isReady])
}

function useNewBuild() {
  const showToast = useToast()
  useEffect(() => {
    // What has been typed survives it.
    const reload = { label: t('Reload'), onPress: () => location.reload(), isSticky: true }
    return watchForNewBuild(() => showToast(t('A new version is ready.'), reload))
  }, [showToast])
}

export function AccountMenuItems({ identity }: { identity: IdentityService }) {
  const { service } = useHistory()
  useOpenByAddress()
  return (
    <>
      <DialogItem kind="password" />
      {identity.sessions && <DialogItem kind="sessions" />}
      {identity.team && <DialogItem kind="team" className={styles.group} />}
      {service && <DialogItem kind="activity" onApproach={() => readActivityAhead(service)} />}
      {service && <DialogItem kind="deleted" />}
      {renderChoice(t('Theme'), <ThemeSwitch />, styles.group)}
      {renderChoice(t('Language'), <LanguageSwitch />)}
      <DialogItem kind="shortcuts" className={styles.shortcuts} />
      <DialogItem kind="help" />
    </>
  )
}

/** Password managers know where to send people; who confirms something by single sign-on comes back to its dialog. */
const dialogsByHash = {
  [changePasswordHash]: 'password',
  '#sessions': 'sessions',
  '#team': 'team',
} as const

/** Opens the dialog that the address names, or the list of activity. */
function useOpenByAddress() {
  const { pathname, search, hash } = useLocation()
  const { setDialog } = useView()
  const navigate = useNavigate()
  useEffect(() => {
    if (hash.startsWith(activityHash)) setDialog({ kind: 'activity' })
    const kind = dialogsByHash[hash as keyof typeof dialogsByHash]
    if (!kind) return
    setDialog({ kind })
    void navigate({ pathname, search }, { replace: true })
  }, [hash, pathname, search, navigate, setDialog])
}

function renderChoice(label: string, choice: ReactNode, className = '') {
  return (
    <li className={`${styles.choice} ${className}`}>
      <span aria-hidden>{label}</span>
      {choice}
      <Icon name="chevron-down" className={styles.chevron} />
    </li>
  )
}

interface DialogItemProps {
  kind: AccountDialogKind
  className?: string | undefined
  /** Called when the pointer or the focus is on the item, which may be pressed next, and before it opens the dialog. */
  onApproach?(): void
}

function DialogItem({ kind, className, onApproach }: DialogItemProps) {
  const { setDialog } = useView()
  return (
    <MenuItem
      className={className}
      aria-haspopup="dialog"
      onPointerEnter={onApproach}
      onFocus={onApproach}
      onPress={() => {
        onApproach?.()
        setDialog({ kind })
      }}
    >
      {t(pageCommands[kind].label)}
    </MenuItem>
  )
}
