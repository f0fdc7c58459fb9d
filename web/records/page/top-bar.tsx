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

export function TopBar({ identity, onLogout }: { identity: IdentityService; onLogout(): void }) {
  const { email } = useHistory()
  return (
    <header className={styles.bar}>
      <Logo />
      <div className={styles.account}>
        <p className={styles.user}>
          <Text>{t('Logged in as: {email}', { email: isolate(email) })}</Text>
        </p>
        <AccountMenu identity={identity} />
      </div>
      <Button variant="ghost" onClick={onLogout}>
        <Icon name="log-out" />
        {t(pageCommands.logout.label)}
      </Button>
    </header>
  )
}
