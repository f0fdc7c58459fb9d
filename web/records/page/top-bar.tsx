import type { IdentityService } from '../../backends/ports.ts'
import { t } from '../../language/translate.ts'
import { isolate } from '../../lib/isolate.ts'
import { Button } from '../../ui/button.tsx'
import { Icon, Logo } from '../../ui/icon.tsx'
import { Text } from '../../ui/message.tsx'
import { useHistory } from '../model/history/history.ts'
import { pageCommands } from '../model/keys/page-commands.ts'
import { AccountMenu } from './account-menu.tsx'
import styles from './top-bar.module.css'

interface TopBarProps {
  identity: IdentityService
  isIdle: boolean
  onLogout(): void
}

export function TopBar({ identity, isIdle, onLogout }: TopBarProps) {
  const { email } = useHistory()
  return (
    <header className={styles.bar}>
      <Logo />
      <div className={styles.account}>
        <p className={styles.user}>
          <Text>{t('Logged in as: {email}', { email: isolate(email) })}</Text>
        </p>
        <AccountMenu identity={identity} isIdle={isIdle} />
      </div>
      <Button variant="ghost" onClick={onLogout}>
        <Icon name="log-out" />
        {t(pageCommands.logout.label)}
      </Button>
    </header>
  )
}
