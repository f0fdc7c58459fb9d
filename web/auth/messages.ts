import { passwordLength } from '../../contract/accounts.ts'

/** The hint at a field for a new password. */
export const passwordRule = `${passwordLength.min} characters or more. A few words make a good one.`

/** Returns the message of a `ServiceError`; messages of other errors are not meant for people. */
export function errorMessage(error: unknown): string {
  return error instanceof Error && error.name === 'ServiceError' ? error.message : 'Something went wrong.'
}
