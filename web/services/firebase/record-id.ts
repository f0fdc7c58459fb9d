/**
 * The id of the record that this person adds with this key: the same for each time it is sent, and of nobody else's.
 * The key is a UUID of version 7, so ids sort by the time at which the record was submitted, and the list's order
 * needs no field of its own.
 */
export function recordId(key: string, uid: string): string {
  return `${key.replaceAll('-', '')}-${uid.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 28)}`
}
