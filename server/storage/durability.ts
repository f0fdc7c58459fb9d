/** What the operator says about the database. */
export interface DurabilityOptions {
  /** Settings that may be off, such as `full_page_writes` where the storage writes whole pages. */
  allowedOff?: readonly string[]
  /** After a failure of the primary only a synchronous standby is promoted, so that no confirmed commit is lost. */
  hasSynchronousStandby?: boolean
}

export const durabilityReasons: Record<string, string> = {
  fsync: 'a power cut can lose or destroy everything',
  full_page_writes: 'a power cut can leave half-written pages',
  synchronous_commit: 'a crash loses writes that were confirmed',
}

export const durabilitySettings = Object.keys(durabilityReasons)
