import { failure } from './errors.ts'

/** The longest that reading the whole register may take, in milliseconds. */
export const longestReading = 120_000

/** The promise or, where it has not settled after so many milliseconds, `offline`. */
export async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(failure('offline', { cause: `no answer in ${milliseconds} ms` })),
      milliseconds,
    )
  })
  try {
    return await Promise.race([promise, tooLate])
  } finally {
    clearTimeout(timer)
  }
}
