/** The settings of a run: Vitest's in a browser, which has no `process`. */
export const settings: Record<string, string | undefined> =
  (import.meta as { env?: Record<string, string> }).env ?? process.env

/** `npm run test:nightly` runs the long form of the fault, fuzz and size tests; all other runs the short one. */
export const isNightly = settings.NIGHTLY === 'yes'
