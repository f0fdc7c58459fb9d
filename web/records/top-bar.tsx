import { LogOut } from 'lucide-react'
import { Button } from '../ui/button.tsx'
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
        <LogOut size={16} aria-hidden="true" />
        Logout
      </Button>
    </header>
  )
}
