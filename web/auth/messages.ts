import { passwordLength } from '../../contract/accounts.ts'

/** The hint below a field for a new password. */
export const passwordRule = `${passwordLength.min} characters or more. A few words make a good one.`

/** Returns the message of a `ServiceError`; messages of other errors are not meant for users. */
export function errorMessage(error: unknown): string {
  return error instanceof Error && error.name === 'ServiceError' ? error.message : 'Something went wrong.'
}
