import { orderedIdPattern } from '../../../contract/firestore.ts'

/**
 * On Firebase the id determines the order of the list (docs/decisions/0021-order-by-id.md). The id of an imported record
 * has the same form and ends with its original id. It has an 8 where ids created by the page have a 7.
 */
const importedIdPattern = /^[0-9a-f]{12}8[0-9a-f]{19}-([A-Za-z0-9_-]{1,64})$/

/** Returns the id that a record had before its import, or its current id if it was created on Firebase. */
export function originalIdOf(id: string): string {
  return importedIdPattern.exec(id)?.[1] ?? id
}

/**
 * Creates ids for Firebase that preserve the order of the records. Ids of the right form do not change unless
 * they would break the order.
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
