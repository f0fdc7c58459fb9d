/** Rejects if `work` has not settled within `limitMs`. `work` is not stopped. */
export async function withinMs<T>(limitMs: number, work: Promise<T>): Promise<T> {
  const { promise: expired, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new Error(`The database has not responded within ${limitMs} ms.`)),
    limitMs,
  )
  try {
    return await Promise.race([work, expired])
  } finally {
    clearTimeout(timer)
  }
}
