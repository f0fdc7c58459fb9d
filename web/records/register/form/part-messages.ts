/** The messages of the parts of the form that are loaded on demand. */

export const choices = {
  mine: { text: 'Yours', label: (noun: string) => `Your ${noun}` },
  theirs: { text: 'Theirs', label: (noun: string) => `Their ${noun}` },
} as const
export const undecided = 'Choose yours or theirs.'
export const showBoth = (noun: string) => `Show both ${noun}s`

export const generator = 'Password generator'
export const suggestion = 'Suggested password'
export const generateAnother = 'Generate another password'
export const length = 'Length'
export const characters = 'Characters'
export const characterSets = {
  symbols: 'Letters, numbers and symbols',
  letters: 'Letters and numbers',
  numbers: 'Numbers only',
} as const
export const useSuggestion = 'Use this password'

export const strength = { 'very weak': 'Very weak', weak: 'Weak', fair: 'Fair', strong: 'Strong' } as const

export const previousPasswords = 'Previous passwords'
/** Within a sentence. */
export const previousPassword = (until: string, by: string) => `previous password, until ${until} by ${by}`
export const olderPasswords = (count: number) => `${count} older`
export const copyPrevious = 'Copy'
export const usePrevious = {
  text: 'Use again',
  label: (password: string) => `Use again: ${password}`,
} as const
export const previousCopied = 'Previous password copied.'
export const previousNotCopied = 'Your browser refused to copy. Show the password instead.'
export const previousInForm = 'The previous password is in the form. Press Update to save it.'
