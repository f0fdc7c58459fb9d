import { useEffect } from 'react'
import { type StoredChoice, useStoredChoice } from '../lib/stored-state.ts'
import { Icon } from './icon.tsx'
import * as messages from './messages.ts'
import styles from './theme-switch.module.css'

/** web/inline/theme.js applies the stored choice before the first paint; it reads the same key. */
const themeChoice: StoredChoice<'system' | 'light' | 'dark'> = {
  key: 'theme',
  options: ['system', 'light', 'dark'],
}
const icons = { system: 'monitor', light: 'sun', dark: 'moon' } as const

/** The choice of color scheme: light, dark, or the system's. */
export function ThemeSwitch() {
  const [theme, setTheme] = useStoredChoice(themeChoice)

  useEffect(() => {
    document.documentElement.dataset.theme = theme
    // The bar of a phone's browser follows the theme, too.
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) {
      const scheme = meta.dataset.theme
      if (theme === 'system') meta.media = `(prefers-color-scheme: ${scheme})`
      else meta.media = scheme === theme ? 'all' : 'not all'
    }
  }, [theme])

  return (
    <span className={styles.switch}>
      <Icon name={icons[theme]} />
      <select
        aria-label={messages.theme}
        value={theme}
        onChange={(event) => setTheme(event.target.value as typeof theme)}
      >
        {themeChoice.options.map((option) => (
          <option key={option} value={option}>
            {messages.themes[option]}
          </option>
        ))}
      </select>
    </span>
  )
}
