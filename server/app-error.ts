import { type ErrorCode, errors } from '../contract/errors.ts'

export interface RefusalDetails {
  /** The field or header the message speaks of. */
  field?: string
  /** Where the code's own words are not enough. */
  message?: string
  /** Seconds after which to try again. */
  retryAfter?: number
}

/** Thrown wherever a request is refused; the error table turns it into the answer. */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly details: RefusalDetails

  constructor(code: ErrorCode, details: RefusalDetails = {}) {
    super(details.message ?? errors[code].message)
    this.name = 'Refusal'
    this.code = code
    this.details = details
  }
}
