import { languageNames } from '../language/languages.ts'
import { currentLanguage, t } from '../language/translate.ts'
import { writeLocalStorage } from '../lib/stored-state.ts'
import { IconSelect } from './icon-select.tsx'

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
      options={languageNames}
      onChange={choose}
    />
  )
}
