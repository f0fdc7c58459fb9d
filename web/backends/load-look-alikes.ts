import { createServiceError } from './service-error.ts'

/** Loads what finds emails that look like others. Rejects with `offline`. */
export const loadLookAlikes = () =>
  import('./mark-look-alikes.ts').catch((cause) => {
    throw createServiceError('offline', { cause })
  })
