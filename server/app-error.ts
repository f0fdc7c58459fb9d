import { type ErrorCode, errors } from '../contract/errors.ts'

export interface AppErrorDetails {
  field?: string
  /** Replaces the default message of the code. */
  message?: string
  retryAfterSeconds?: number
  id?: string
  /** What was compared, for the log only. Never a secret. */
  log?: Record<string, string | undefined>
}

/** An expected error with one of the contract's codes. The error handler turns it into a response. */
export class AppError extends Error {
  override name = 'AppError'
  readonly code: ErrorCode
  readonly details: AppErrorDetails

  constructor(code: ErrorCode, details: AppErrorDetails = {}) {
    super(details.message ?? errors[code].message)
    this.code = code
    this.details = details
  }
}

/** The message tells the operator what is wrong and what to do. It is printed without a stack. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}
