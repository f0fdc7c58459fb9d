/** `npm run test:nightly` runs the long form of the fault, fuzz and size tests; all other runs the short one. */
export const isNightly = process.env.NIGHTLY === 'yes'
