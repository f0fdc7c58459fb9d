import { t } from '../language/translate.ts'

/** The hint of a new password of an account. */
export const describeNewPassword = (length: { min: number }) =>
  t('At least {min, plural, one {# character} other {# characters}}. A few random words work well.', length)
