/** How the server ends when it does not end well (docs/reliability.md). Numbers follow sysexits.h where one fits. */
export const exitCodes = {
  /** It could not start; the reason is on stderr. */
  startFailed: 1,
  /** It was told to end, and the storage did not confirm in time what it had taken: look at the storage. */
  shutdownTimedOut: 69,
  /** The writing thread died: restart it. */
  writer: 70,
  /** The disk failed to confirm a write: look at the disk, then restart it. */
  disk: 74,
  /** The database holds another register than the one that was read: restart it. */
  stale: 75,
} as const
