import { useEffect } from 'react'
import { t } from '../language/translate.ts'
import { type StoredChoice, useStoredChoice } from '../lib/stored-state.ts'
import { IconSelect } from './icon-select.tsx'

/** web/inline/first-paint.js applies the stored choice before the first paint; it reads the same key. */
const themeChoice: StoredChoice<'system' | 'light' | 'dark'> = {
  key: 'theme',
  options: ['system', 'light', 'dark'],
}
const icons = { system: 'monitor', light: 'sun', dark: 'moon' } as const

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
    <IconSelect
      icon={icons[theme]}
      label={t('Theme')}
      value={theme}
      options={{ system: t('System'), light: t('Light'), dark: t('Dark') }}
      onChange={setTheme}
    />
  )
}
