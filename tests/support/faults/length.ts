/** `npm run test:faults` runs the long form; `npm test` the short one. */
export const isLong = process.env.FAULTS === 'long'
