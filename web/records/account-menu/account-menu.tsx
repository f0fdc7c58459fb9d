import { startTransition, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { IdentityService } from '../../backends/ports.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { lazyPart, OnDemand } from '../../ui/lazy-part.tsx'
import { loadFailed, theme } from '../../ui/messages.ts'
import { ThemeSwitch } from '../../ui/theme-switch.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useHistory } from '../history/history.ts'
import { formatLeaver } from '../search/search-params.ts'
import { title as shortcuts } from '../shortcuts/messages.ts'
import styles from './account-menu.module.css'
import * as messages from './messages.ts'

const PasswordDialog = lazyPart(() =>
  import('../../auth/password-dialog.tsx').then((module) => module.PasswordDialog),
)
const SessionsDialog = lazyPart(() =>
  import('../../auth/sessions-dialog.tsx').then((module) => module.SessionsDialog),
)
const ColleaguesDialog = lazyPart(() =>
  import('../../auth/team/colleagues-dialog.tsx').then((module) => module.ColleaguesDialog),
)
const InviteDialog = lazyPart(() =>
  import('../../auth/team/invite-dialog.tsx').then((module) => module.InviteDialog),
)
const DeletedDialog = lazyPart(() =>
  import('../history/deleted-dialog.tsx').then((module) => module.DeletedDialog),
)
const ShortcutsDialog = lazyPart(() =>
  import('../shortcuts/shortcuts-dialog.tsx').then((module) => module.ShortcutsDialog),
)
const HelpDialog = lazyPart(() => import('./help-dialog.tsx').then((module) => module.HelpDialog))

interface AccountMenuProps {
  email: string
  identity: IdentityService
}

/** A button and its popover with what one rarely needs. The browser opens it, closes it, and restores the focus. */
export function AccountMenu({ email, identity }: AccountMenuProps) {
  const menuId = useId()
  const menu = useRef<HTMLDivElement>(null)
  const [openDialog, setOpenDialog] = useState<
    'password' | 'sessions' | 'colleagues' | 'invite' | 'deleted' | 'shortcuts' | 'help' | null
  >(null)
  const showToast = useToast()
  const { sessions, loadTeam } = identity
  const history = useHistory()
  const navigate = useNavigate()
  const close = () => setOpenDialog(null)

  /** Narrows the table to the passwords that must change because this account leaves. */
  function showExposed(accountId: string) {
    close()
    void navigate({ search: formatLeaver(accountId) })
  }

  function handleLoadError() {
    close()
    showToast(loadFailed)
  }

  function renderItem(dialog: NonNullable<typeof openDialog>, label: string, className = '') {
    function open() {
      // The focus returns to the menu's button, which the dialog then restores it to.
      menu.current?.hidePopover()
      startTransition(() => setOpenDialog(dialog))
    }
    return (
      <li className={className}>
        <button type="button" className={styles.item} aria-haspopup="dialog" onClick={open}>
          {label}
        </button>
      </li>
    )
  }

  return (
    <>
      <IconButton
        icon="circle-user-round"
        className={styles.button}
        aria-label={messages.accountMenu}
        popoverTarget={menuId}
      >
        <Icon name="chevron-down" className={styles.chevron} />
      </IconButton>
      <div ref={menu} id={menuId} popover="auto" className={styles.menu}>
        <ul>
          {renderItem('password', messages.changePassword)}
          {sessions && renderItem('sessions', messages.sessions)}
          {loadTeam && renderItem('colleagues', messages.colleagues)}
          {loadTeam && renderItem('invite', messages.invite)}
          {history && renderItem('deleted', messages.recentlyDeleted)}
          <li className={styles.theme}>
            <span aria-hidden>{theme}</span>
            <ThemeSwitch />
            <Icon name="chevron-down" className={styles.chevron} />
          </li>
          {renderItem('shortcuts', shortcuts, styles.shortcuts)}
          {renderItem('help', messages.help)}
        </ul>
      </div>
      <OnDemand onLoadError={handleLoadError}>
        {openDialog === 'password' && <PasswordDialog email={email} identity={identity} onClose={close} />}
        {openDialog === 'sessions' && sessions && <SessionsDialog sessions={sessions} onClose={close} />}
        {openDialog === 'colleagues' && loadTeam && (
          <ColleaguesDialog
            email={email}
            loadTeam={loadTeam}
            onClose={close}
            {...(history && { onPick: showExposed })}
          />
        )}
        {openDialog === 'invite' && loadTeam && (
          <InviteDialog identity={identity} loadTeam={loadTeam} onClose={close} />
        )}
        {openDialog === 'deleted' && history && <DeletedDialog history={history} onClose={close} />}
        {openDialog === 'shortcuts' && <ShortcutsDialog onClose={close} />}
        {openDialog === 'help' && <HelpDialog onClose={close} />}
      </OnDemand>
    </>
  )
}
