/** Loaded for the first email that needs it: hardly any register has one. */
let decoder: typeof import('./decode-email.ts') | undefined
let loading: Promise<void> | undefined
const listeners = new Set<() => void>()

/** Loads what decodes emails. After a failure, the next call tries again. */
export function loadEmailDecoder(): Promise<void> {
  loading ??= import('./decode-email.ts').then(
    (loaded) => {
      decoder = loaded
      for (const listener of listeners) listener()
    },
    () => {
      loading = undefined
    },
  )
  return loading
}

/** Calls the listener when emails can be decoded, which were returned as they are stored before. Returns a function that unsubscribes. */
export function onEmailDecoder(listener: () => void): () => void {
  listeners.add(listener)
  if (decoder) listener()
  return () => void listeners.delete(listener)
}

/**
 * Writes an email as people do: see `decodeEmail`. Its inverse is `toAsciiEmail`. Returns the first of them as they are stored, until
 * what decodes them is loaded.
 */
export function toUnicodeEmail(email: string): string {
  if (!/xn--/i.test(email)) return email
  if (decoder) return decoder.decodeEmail(email)
  void loadEmailDecoder()
  return email
}
