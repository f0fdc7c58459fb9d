import { type Choice, readChoice } from '../../lib/stored-choice.ts'

/** Whether single letters are shortcuts. Off helps those whose speech input presses them by accident (WCAG 2.1.4). */
export const letterKeys: Choice<'on' | 'off'> = { key: 'letter-keys', options: ['on', 'off'] }

export function lettersAreKeys(): boolean {
  return readChoice(letterKeys) === 'on'
}
