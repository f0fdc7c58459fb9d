import { type ErrorCode, errors } from '../../contract/errors.ts'
import { t } from '../language/translate.ts'
import { translateError } from './messages.ts'
import { ServiceError, type ServiceErrorCode } from './ports.ts'

/** Creates the error of a code, with its message in the language of the page. */
export function createServiceError(
  code: ServiceErrorCode,
  options?: ConstructorParameters<typeof ServiceError>[2],
): ServiceError {
  return new ServiceError(code, messageFor(code), options)
}

function messageFor(code: ServiceErrorCode): string {
  if (code === 'offline') return t('The server can’t be reached. Check your connection.')
  if (code === 'cancelled') return t('Cancelled.')
  return translateError(code, errors[code satisfies ErrorCode].message)
}
