import { useEffect } from 'react'
import { type Choice, useChoice } from '../lib/stored-choice.ts'
import { Icon } from './icon.tsx'
import styles from './theme-switch.module.css'

/** public/theme.js reads the same key before the first paint. */
const theme: Choice<'system' | 'light' | 'dark'> = { key: 'theme', options: ['system', 'light', 'dark'] }
const icons = { system: 'monitor', light: 'sun', dark: 'moon' } as const

/** Light, dark, or as the system has it. */
export function ThemeSwitch() {
  const [chosen, choose] = useChoice(theme)

  useEffect(() => {
    document.documentElement.dataset.theme = chosen
  }, [chosen])

  return (
    <span className={styles.switch}>
      <Icon name={icons[chosen]} />
      <select
        aria-label="Theme"
        value={chosen}
        onChange={(event) => choose(event.target.value as typeof chosen)}
      >
        <option value="system">System</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </span>
  )
}
