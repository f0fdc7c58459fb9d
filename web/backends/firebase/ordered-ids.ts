/** A sorted set of ids; their order is the order of the list. */
export interface OrderedIds {
  reset(sorted: string[]): void
  add(id: string): void
  remove(id: string): void
  /** The greatest id that is smaller than this one, or null. This id itself need not be in the set. */
  previousId(id: string): string | null
}

export function createOrderedIds(): OrderedIds {
  let ids: string[] = []

  /** The number of smaller ids. Ids are ASCII, so JavaScript's order equals Firestore's, which compares bytes. */
  function lowerBound(id: string): number {
    let low = 0
    let high = ids.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((ids[middle] ?? '') < id) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    reset(sorted) {
      ids = sorted
    },
    add(id) {
      const index = lowerBound(id)
      if (ids[index] !== id) ids.splice(index, 0, id)
    },
    remove(id) {
      const index = lowerBound(id)
      if (ids[index] === id) ids.splice(index, 1)
    },
    previousId: (id) => ids[lowerBound(id) - 1] ?? null,
  }
}
