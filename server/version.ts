import product from '../package.json' with { type: 'json' }

/** The version of Staffbook. */
export const { version }: { version: string } = product
