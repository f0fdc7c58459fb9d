import type { IdentityService } from '../../backends/ports.ts'
import { isolate } from '../../lib/isolate.ts'
import { Button } from '../../ui/button.tsx'
import { Icon, Logo } from '../../ui/icon.tsx'
import { Text } from '../../ui/message.tsx'
import { useHistory } from '../model/history/history.ts'
import { pageCommands } from '../model/keys/page-commands.ts'
import { AccountMenu } from './account-menu.tsx'
import * as messages from './messages.ts'
import styles from './top-bar.module.css'

export function TopBar({ identity, onLogout }: { identity: IdentityService; onLogout(): void }) {
  const { email } = useHistory()
  return (
    <header className={styles.bar}>
      <Logo />
      <div className={styles.account}>
        <p className={styles.user}>
          <Text>{messages.loggedInAs(isolate(email))}</Text>
        </p>
        <AccountMenu identity={identity} />
      </div>
      <Button variant="ghost" onClick={onLogout}>
        <Icon name="log-out" />
        {pageCommands.logout.label}
      </Button>
    </header>
  )
}
