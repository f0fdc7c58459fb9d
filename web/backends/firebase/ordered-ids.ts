/** Ids in their order, which is the register's. */
export interface OrderedIds {
  reset(sorted: string[]): void
  add(id: string): void
  remove(id: string): void
  /** The id that stands before this one, whether or not this one is there; null where none does. */
  previousId(id: string): string | null
}

export function createOrderedIds(): OrderedIds {
  let ids: string[] = []

  /** How many ids are smaller. Ids are ASCII, so that JavaScript's order is Firestore's, which compares bytes. */
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
