import { t } from './translate.ts'

/** Translates what contract/identity/browser-name.ts returns: "Firefox on Linux". */
export function translateBrowser(name: string): string {
  const [browser = '', system] = name.split(' on ')
  return system ? t('{browser} on {system}', { browser, system }) : name
}
