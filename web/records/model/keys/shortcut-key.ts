import { msg } from '../../../language/translate.ts'
import { readStoredChoice, type StoredChoice } from '../../../lib/stored-state.ts'

/** Whether single letters are shortcuts. Speech input can trigger them by accident, so they can be turned off (WCAG 2.1.4). */
export const letterShortcutsSetting: StoredChoice<'on' | 'off'> = {
  key: 'letter-keys',
  options: ['on', 'off'],
}

export function hasLetterShortcuts(): boolean {
  return readStoredChoice(letterShortcutsSetting) === 'on'
}

/** What the keys do while passwords are changed one after the other. */
export const runShortcuts = { C: msg('Copy old password'), S: msg('Skip'), Esc: msg('Stop') } as const
