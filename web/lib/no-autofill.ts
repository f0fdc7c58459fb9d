/**
 * Attributes of inputs that password managers must neither fill nor save: the standard attribute, and those of 1Password,
 * LastPass, Bitwarden and Dashlane. On a password field set `autoComplete` to `new-password`: browsers ignore `off` there.
 */
export const noAutofill = {
  autoComplete: 'off',
  'data-1p-ignore': '',
  'data-lpignore': 'true',
  'data-bwignore': '',
  'data-form-type': 'other',
} as const
