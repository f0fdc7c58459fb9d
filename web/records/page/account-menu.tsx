import { useState } from 'react'
import { useLocation } from 'react-router'
import type { IdentityService } from '../../backends/ports.ts'
import { t } from '../../language/translate.ts'
import { Icon } from '../../ui/icon.tsx'
import { lazyPart, OnDemand } from '../../ui/lazy-part.tsx'
import { Menu } from '../../ui/menu/menu.tsx'
import { accountDialogs, useOpenDialog, useView } from '../model/view.ts'
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
  // The items open the dialog that the address names.
  const { hash } = useLocation()
  const openDialog = useOpenDialog()
  const openKind = accountDialogs.find((kind) => kind === openDialog?.kind)
  const close = () => setDialog(null)

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
          {(isIdle || openMenu || hash) && <AccountMenuItems identity={identity} />}
        </OnDemand>
      </Menu>
      <OnDemand onGiveUp={close}>
        {openKind && <AccountDialog kind={openKind} identity={identity} onClose={close} />}
      </OnDemand>
    </>
  )
}
