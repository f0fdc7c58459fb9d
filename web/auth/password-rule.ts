import { passwordLength } from '../../contract/accounts.ts'

/** What is said of a new password before one is typed. */
export const passwordRule = `${passwordLength.min} characters or more. A few words make a good one.`
