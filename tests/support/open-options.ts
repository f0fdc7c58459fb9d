export interface OpenOptions {
  maxWaiting?: number | undefined
  key?: Uint8Array | undefined
  keepDeleted?: boolean | undefined
  maxBytes?: number | undefined
}

/** What is undefined is as if it were not there. */
export const leaveOutUndefined = (options: OpenOptions) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [Name in keyof OpenOptions]: NonNullable<OpenOptions[Name]>
  }
