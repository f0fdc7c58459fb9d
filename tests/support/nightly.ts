const isNode = 'process' in globalThis && 'versions' in process

/** The settings of a run. In Node, `import.meta.env` of Vitest has none of them; in a browser there is no environment. */
export const settings: Record<string, string | undefined> = isNode
  ? process.env
  : (import.meta as unknown as { env: Record<string, string> }).env

/** `npm run test:nightly` runs the long form of the fault, fuzz and size tests; all other runs the short one. */
export const isNightly = settings.NIGHTLY === 'yes'
