import { type ErrorCode, errors } from '../contract/errors.ts'

export interface AppErrorDetails {
  /** The field or header the message speaks of. */
  field?: string
  /** Where the code's own words are not enough. */
  message?: string
  /** Seconds after which to try again. */
  retryAfterSeconds?: number
}

/** Thrown wherever a request is refused; the error table turns it into the answer. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: AppErrorDetails

  constructor(code: ErrorCode, details: AppErrorDetails = {}) {
    super(details.message ?? errors[code].message)
    this.name = 'AppError'
    this.code = code
    this.details = details
  }
}
