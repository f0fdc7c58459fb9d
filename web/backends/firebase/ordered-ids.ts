/** Ids in their order, which is the register's. */
export interface OrderedIds {
  reset(sorted: string[]): void
  add(id: string): void
  remove(id: string): void
  /** The id that stands before this one, whether or not this one is there; null where none does. */
  before(id: string): string | null
}

export function createOrderedIds(): OrderedIds {
  let ids: string[] = []

  /** How many ids are smaller. Ids are ASCII, so that JavaScript's order is Firestore's, which compares bytes. */
  function placeOf(id: string): number {
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
      const place = placeOf(id)
      if (ids[place] !== id) ids.splice(place, 0, id)
    },
    remove(id) {
      const place = placeOf(id)
      if (ids[place] === id) ids.splice(place, 1)
    },
    before: (id) => ids[placeOf(id) - 1] ?? null,
  }
}
