import { ChangePasswordButton } from '../auth/change-password.tsx'
import type { IdentityService } from '../backends/ports.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Logo } from '../ui/logo.tsx'
import { ThemeSwitch } from '../ui/theme-switch.tsx'
import styles from './top-bar.module.css'

interface TopBarProps {
  email: string
  identity: IdentityService
  onLogout(): void
}

/** The signed-in account, its buttons and the theme switch. */
export function TopBar({ email, identity, onLogout }: TopBarProps) {
  return (
    <header className={styles.bar}>
      <Logo />
      <div className={styles.account}>
        <p className={styles.user}>Logged in as: {email}</p>
        <ChangePasswordButton email={email} identity={identity} />
      </div>
      <ThemeSwitch />
      <Button onClick={onLogout}>
        <Icon name="log-out" />
        Logout
      </Button>
    </header>
  )
}
