import { type ReactNode, useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { changePasswordHash } from '../../../contract/protocol.ts'
import type { IdentityService } from '../../backends/ports.ts'
import { t } from '../../language/translate.ts'
import { Icon } from '../../ui/icon.tsx'
import { LanguageSwitch } from '../../ui/language-switch.tsx'
import { lazyPart, OnDemand } from '../../ui/lazy-part.tsx'
import { Menu, MenuItem } from '../../ui/menu/menu.tsx'
import { ThemeSwitch } from '../../ui/theme-switch.tsx'
import { useHistory } from '../model/history/history.ts'
import { pageCommands } from '../model/keys/page-commands.ts'
import { type AccountDialogKind, accountDialogs, activityHash, useView } from '../model/view.ts'
import styles from './account-menu.module.css'

const AccountDialog = lazyPart(() => import('./account-dialog.tsx'), 'AccountDialog')

/** A menu with what one rarely needs. */
export function AccountMenu({ identity }: { identity: IdentityService }) {
  const { service } = useHistory()
  const { openDialog, setDialog } = useView()
  const openKind = accountDialogs.find((kind) => kind === openDialog?.kind)
  const close = () => setDialog(null)
  useOpenByAddress()

  return (
    <>
      <Menu
        icon="circle-user-round"
        label={t('Account menu')}
        mark={<Icon name="chevron-down" className={styles.chevron} />}
        buttonClass={styles.button}
        menuClass={styles.menu}
      >
        <DialogItem kind="password" />
        {identity.sessions && <DialogItem kind="sessions" />}
        {identity.team && <DialogItem kind="team" className={styles.group} />}
        {service && <DialogItem kind="activity" />}
        {service && <DialogItem kind="deleted" />}
        {renderChoice(t('Theme'), <ThemeSwitch />, styles.group)}
        {renderChoice(t('Language'), <LanguageSwitch />)}
        <DialogItem kind="shortcuts" className={styles.shortcuts} />
        <DialogItem kind="help" />
      </Menu>
      <OnDemand onGiveUp={close}>
        {openKind && <AccountDialog kind={openKind} identity={identity} onClose={close} />}
      </OnDemand>
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

interface DialogItemProps {
  kind: AccountDialogKind
  className?: string | undefined
}

function DialogItem({ kind, className }: DialogItemProps) {
  const { setDialog } = useView()
  return (
    <MenuItem className={className} aria-haspopup="dialog" onPress={() => setDialog({ kind })}>
      {t(pageCommands[kind].label)}
    </MenuItem>
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
