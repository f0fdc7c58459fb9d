import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { changePasswordHash } from '../../../contract/protocol.ts'
import type { IdentityService } from '../../backends/ports.ts'
import { t } from '../../language/translate.ts'
import { Icon } from '../../ui/icon.tsx'
import { lazyPart, OnDemand } from '../../ui/lazy-part.tsx'
import { Menu } from '../../ui/menu/menu.tsx'
import { accountDialogs, activityHash, useOpenDialog, useView } from '../model/view.ts'
import styles from './account-menu.module.css'

const AccountDialog = lazyPart(() => import('./account-dialog.tsx'), 'AccountDialog')
type Items = Pick<AccountMenuProps, 'identity'>
const AccountMenuItems = lazyPart<'AccountMenuItems', Items>(
  () => import('./idle-parts.tsx'),
  'AccountMenuItems',
)

interface AccountMenuProps {
  identity: IdentityService
  /** Whether the browser was idle after the rows were shown: the items are loaded then, or when the menu is opened. */
  isIdle: boolean
}

/** A menu with what one rarely needs. */
export function AccountMenu({ identity, isIdle }: AccountMenuProps) {
  const [openMenu, setOpenMenu] = useState<HTMLElement | null>(null)
  const [failureCount, setFailureCount] = useState(0)
  const { setDialog } = useView()
  const openDialog = useOpenDialog()
  const openKind = accountDialogs.find((kind) => kind === openDialog?.kind)
  const close = () => setDialog(null)
  useOpenByAddress()

  function giveUp() {
    openMenu?.hidePopover()
    setFailureCount(failureCount + 1)
  }

  return (
    <>
      <Menu
        icon="circle-user-round"
        label={t('Account menu')}
        mark={<Icon name="chevron-down" className={styles.chevron} />}
        buttonClass={styles.button}
        menuClass={styles.menu}
        onToggle={setOpenMenu}
      >
        <OnDemand key={failureCount} isOptional={!openMenu} onGiveUp={giveUp}>
          {(isIdle || openMenu) && <AccountMenuItems identity={identity} />}
        </OnDemand>
      </Menu>
      <OnDemand onGiveUp={close}>
        {openKind && <AccountDialog kind={openKind} identity={identity} onClose={close} />}
      </OnDemand>
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
