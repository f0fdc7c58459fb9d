import { createServiceError } from './errors.ts'

/** Timeout for reading the whole collection, in milliseconds. */
export const readTimeoutMs = 120_000

/** Rejects with `offline` if the promise has not settled after `timeoutMs` milliseconds. */
export async function withTimeout<T>(timeoutMs: number, promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timedOut = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(createServiceError('offline', { cause: `no response within ${timeoutMs} ms` })),
      timeoutMs,
    )
  })
  try {
    return await Promise.race([promise, timedOut])
  } finally {
    clearTimeout(timer)
  }
}
