/** `npm run test:nightly` runs the long form of the fault, fuzz and size tests; `npm test` the short one. */
export const isNightly = process.env.NIGHTLY === 'yes'
