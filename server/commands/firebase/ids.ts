import { orderedIdPattern } from '../../../contract/firestore.ts'

/**
 * On Firebase the order of the list is in the id (docs/decisions/0021-order-by-id.md), so a record that comes from
 * elsewhere gets an id of Firebase's form, with its own at the end. The page's ids have a 7 where these have an 8.
 */
const importedIdPattern = /^[0-9a-f]{12}8[0-9a-f]{19}-([A-Za-z0-9_-]{1,64})$/

/** The id that a record had where it came from; its own where it was made on Firebase. */
export function originalIdOf(id: string): string {
  return importedIdPattern.exec(id)?.[1] ?? id
}

/**
 * An id on Firebase for each record, in the order in which they come. One that has such an id keeps it, unless it would
 * stand before the record ahead of it.
 */
export function createOrderedIds(originalIds: string[], now = Date.now()): string[] {
  const time = now.toString(16).padStart(12, '0')
  let lastId = ''
  return originalIds.map((origin, index) => {
    const keepsOrder = orderedIdPattern.test(origin) && origin > lastId
    lastId = keepsOrder ? origin : `${time}8${index.toString(16).padStart(19, '0')}-${origin}`
    return lastId
  })
}
