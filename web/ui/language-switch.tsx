import { currentLanguage, languages, t } from '../language/translate.ts'
import { writeLocalStorage } from '../lib/stored-state.ts'
import { IconSelect } from './icon-select.tsx'

/** Names each language in itself: "Deutsch", "Português (Brasil)". */
function nameLanguage(tag: string): string {
  const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
}

/** web/inline/first-paint.js reads the choice, so the page is loaded again. Unsaved changes are stored. */
function choose(language: string) {
  writeLocalStorage('language', language)
  location.reload()
}

export function LanguageSwitch() {
  return (
    <IconSelect
      icon="globe"
      label={t('Language')}
      translate="no"
      value={currentLanguage()}
      options={Object.fromEntries(languages.map((tag) => [tag, nameLanguage(tag)]))}
      onChange={choose}
    />
  )
}
