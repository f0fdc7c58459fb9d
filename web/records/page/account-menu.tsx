import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { changePasswordHash } from '../../../contract/protocol.ts'
import type { IdentityService } from '../../backends/ports.ts'
import { t } from '../../language/translate.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LanguageSwitch } from '../../ui/language-switch.tsx'
import { lazyPart, OnDemand } from '../../ui/lazy-part.tsx'
import { ThemeSwitch } from '../../ui/theme-switch.tsx'
import { useHistory } from '../model/history/history.ts'
import { pageCommands } from '../model/keys/page-commands.ts'
import { hasModifier } from '../model/keys/shortcut-key.ts'
import { formatLeaver } from '../model/search/search-params.ts'
import { type OpenDialog, useView } from '../model/view.ts'
import styles from './account-menu.module.css'

const PasswordDialog = lazyPart(() => import('../../auth/password-dialog.tsx'), 'PasswordDialog')
const SessionsDialog = lazyPart(() => import('../../auth/sessions-dialog.tsx'), 'SessionsDialog')
const TeamDialog = lazyPart(() => import('../../auth/team/team-dialog.tsx'), 'TeamDialog')
const DeletedDialog = lazyPart(() => import('../features/history/deleted-dialog.tsx'), 'DeletedDialog')
const ShortcutsDialog = lazyPart(() => import('../features/help/shortcuts-dialog.tsx'), 'ShortcutsDialog')
const HelpDialog = lazyPart(() => import('../features/help/help-dialog.tsx'), 'HelpDialog')

/** A button and its popover with what one rarely needs. The browser opens it, closes it, and restores the focus. */
export function AccountMenu({ identity }: { identity: IdentityService }) {
  const menuId = useId()
  const menu = useRef<HTMLDivElement>(null)
  const { service } = useHistory()
  const onKeyDown = (event: KeyboardEvent) => menu.current && moveInMenu(event, menu.current)

  return (
    <>
      <IconButton
        icon="circle-user-round"
        className={styles.button}
        aria-label={t('Account menu')}
        popoverTarget={menuId}
        onKeyDown={onKeyDown}
      >
        <Icon name="chevron-down" className={styles.chevron} />
      </IconButton>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form */}
      <div
        ref={menu}
        id={menuId}
        role="group"
        aria-label={t('Account menu')}
        popover="auto"
        className={styles.menu}
        onKeyDown={onKeyDown}
      >
        <ul>
          <MenuItem kind="password" />
          {identity.sessions && <MenuItem kind="sessions" />}
          {identity.team && <MenuItem kind="team" className={styles.group} />}
          {service && <MenuItem kind="deleted" />}
          {renderChoice(t('Theme'), <ThemeSwitch />, styles.group)}
          {renderChoice(t('Language'), <LanguageSwitch />)}
          <MenuItem kind="shortcuts" className={styles.shortcuts} />
          <MenuItem kind="help" />
        </ul>
      </div>
      <AccountDialogs identity={identity} />
    </>
  )
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

interface MenuItemProps {
  kind: Exclude<OpenDialog['kind'], 'import' | 'hand-over'>
  className?: string | undefined
}

function MenuItem({ kind, className }: MenuItemProps) {
  const { setDialog } = useView()

  function open({ currentTarget }: MouseEvent<HTMLElement>) {
    // The focus returns to the menu's button, which the dialog then restores it to.
    currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
    setDialog({ kind })
  }

  return (
    <li className={className}>
      <button type="button" className={styles.item} aria-haspopup="dialog" onClick={open}>
        {t(pageCommands[kind].label)}
      </button>
    </li>
  )
}

/** Handles the keys that open a menu from its button, and those that move the focus in it. Alt opens a select. */
function moveInMenu(event: KeyboardEvent, menu: HTMLElement) {
  const index = getItems(menu).indexOf(event.target as HTMLElement)
  const indexByKey: Record<string, number> = {
    ArrowDown: index + 1,
    ArrowUp: Math.max(index, 0) - 1,
    ...(index >= 0 && { Home: 0, End: -1 }),
  }
  const next = indexByKey[event.key]
  if (next === undefined || hasModifier(event)) return
  event.preventDefault()
  menu.togglePopover(true)
  const items = getItems(menu)
  items.at(next % items.length)?.focus()
}

/** The items that can be focused; while the menu is closed, none. */
const getItems = (menu: HTMLElement) =>
  [...menu.querySelectorAll<HTMLElement>('button, select')].filter((item) => item.checkVisibility())

/** Opens the dialog that changes the password for password managers, which know where to send people. */
function useOpenByAddress() {
  const { pathname, search, hash } = useLocation()
  const { setDialog } = useView()
  const navigate = useNavigate()
  useEffect(() => {
    if (hash !== changePasswordHash) return
    setDialog({ kind: 'password' })
    void navigate({ pathname, search }, { replace: true })
  }, [hash, pathname, search, navigate, setDialog])
}

function AccountDialogs({ identity }: { identity: IdentityService }) {
  const { sessions, team } = identity
  const { openDialog, setDialog } = useView()
  const { email, service } = useHistory()
  const navigate = useNavigate()
  const kind = openDialog?.kind
  const close = () => setDialog(null)
  useOpenByAddress()

  /** Narrows the table to the passwords that must change because this account leaves. */
  function showExposed(accountId: string) {
    close()
    void navigate({ search: formatLeaver(accountId) })
  }

  return (
    <OnDemand onGiveUp={close}>
      {kind === 'password' && <PasswordDialog email={email} identity={identity} onClose={close} />}
      {kind === 'sessions' && sessions && (
        <SessionsDialog email={email} identity={identity} sessions={sessions} onClose={close} />
      )}
      {kind === 'team' && team && (
        <TeamDialog
          email={email}
          identity={identity}
          team={team}
          onClose={close}
          {...(service && { onPick: showExposed })}
        />
      )}
      {kind === 'deleted' && service && <DeletedDialog service={service} onClose={close} />}
      {kind === 'shortcuts' && <ShortcutsDialog title={t(pageCommands.shortcuts.label)} onClose={close} />}
      {kind === 'help' && <HelpDialog title={t(pageCommands.help.label)} onClose={close} />}
    </OnDemand>
  )
}
