import { t } from '../language/translate.ts'
import { ServiceError } from './ports.ts'

/** Throws the error for a connection that failed or was lost. */
export function throwOffline(cause?: unknown): never {
  throw new ServiceError('offline', t('The server can’t be reached. Check your connection.'), { cause })
}
