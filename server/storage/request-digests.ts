/**
 * The digests of requests that have written a record, as the column `digest` has them, with commas in between: of the one that has
 * added it, empty if unknown, then of the latest that have changed it, so that those are recognized when they are repeated. Null: of
 * none.
 */
export type StoredDigests = string | null

/** A request is recognized until this many later requests have changed its record. */
const maxChanges = 8

/** Shorter than that of the request that has added the record, because there are more: 72 bits. */
const maxChangeLength = 12

const split = (stored: StoredDigests): string[] => stored?.split(',') ?? []

const shorten = (digest: string) => digest.slice(0, maxChangeLength)

/** The digest of one change of a batch, which may change a record twice. */
const digestAt = (digest: string, index: number): string => `${shorten(digest)}.${index.toString(36)}`

/** Returns a function that returns the digest of each change of a batch, from the one with this index on. */
export function digestsFrom(digest: string | undefined, first: number): () => string | undefined {
  let index = first
  return () => (digest === undefined ? undefined : digestAt(digest, index++))
}

/** Whether a request may have added the record. */
export function mayHaveAdded(stored: StoredDigests, digest: string): boolean {
  const [added = ''] = split(stored)
  return added === '' || added === digest
}

/** Whether a request is one of the latest that have changed the record. */
export const hasChanged = (stored: StoredDigests, digest: string | undefined): boolean =>
  digest !== undefined && split(stored).includes(toChange(digest), 1)

export function addDigest(stored: StoredDigests, digest: string | undefined): StoredDigests {
  if (digest === undefined) return stored
  const [added = '', ...changes] = split(stored)
  return [added, ...changes.slice(1 - maxChanges), toChange(digest)].join()
}

const toChange = (digest: string) => (digest.includes('.') ? digest : shorten(digest))
