import { createServiceError } from './errors.ts'

/** The longest that reading the whole register may take, in milliseconds. */
export const readTimeoutMs = 120_000

/** The promise or, where it has not settled after so many milliseconds, `offline`. */
export async function withTimeout<T>(timeoutMs: number, promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timedOut = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(createServiceError('offline', { cause: `no answer in ${timeoutMs} ms` })),
      timeoutMs,
    )
  })
  try {
    return await Promise.race([promise, timedOut])
  } finally {
    clearTimeout(timer)
  }
}
