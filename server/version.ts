import product from '../package.json' with { type: 'json' }

export const { version }: { version: string } = product
