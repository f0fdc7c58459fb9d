/** The messages of errors that the page itself finds. Those of the service are in contract/errors.ts. */

export const unreachable = 'The server can’t be reached. Check your connection.'
export const unreachableNow = 'The server can’t be reached right now.'
export const cancelled = 'Cancelled.'
export const somethingWrong = 'Something went wrong.'
export const serverFailed = 'Something went wrong on the server.'
