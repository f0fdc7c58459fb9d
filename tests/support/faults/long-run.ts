/** `npm run test:faults` runs the long form; `npm test` the short one. */
export const isLongRun = process.env.FAULTS === 'long'
