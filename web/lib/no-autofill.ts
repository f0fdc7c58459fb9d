/**
 * For inputs that no password manager may fill or remember: the standard word, and the hints of 1Password, LastPass,
 * Bitwarden and Dashlane. On a password field `autoComplete` must be `new-password` instead: `off` is ignored there.
 */
export const noAutofill = {
  autoComplete: 'off',
  'data-1p-ignore': '',
  'data-lpignore': 'true',
  'data-bwignore': '',
  'data-form-type': 'other',
} as const
