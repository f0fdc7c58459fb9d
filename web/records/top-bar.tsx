import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Mark } from '../ui/mark.tsx'
import { ThemeSwitch } from '../ui/theme-switch.tsx'
import styles from './top-bar.module.css'

export function TopBar({ email, onLogout }: { email: string; onLogout(): void }) {
  return (
    <header className={styles.bar}>
      <Mark />
      <p className={styles.user}>Logged in as: {email}</p>
      <ThemeSwitch />
      <Button onClick={onLogout}>
        <Icon name="log-out" />
        Logout
      </Button>
    </header>
  )
}
