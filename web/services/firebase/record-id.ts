/**
 * The id of the record that this person adds with this key: the same each time it is sent, and of nobody else's. The
 * key is a UUID of version 7, so ids sort by the time at which a record was submitted, and the list's order needs no
 * field of its own. Of a batch, which has one key for all, `row` is the place of the record in it.
 */
export function recordId(key: string, uid: string, row?: number): string {
  const time = key.replaceAll('-', '')
  const place = row === undefined ? '' : row.toString(16).padStart(5, '0')
  return `${time}${place}-${uid.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 24)}`
}
