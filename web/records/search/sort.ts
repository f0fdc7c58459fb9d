import type { Employee } from '../../../contract/employees.ts'

/** `added` is the order of creation, which is the list's own. */
export interface Sort {
  by: 'added' | 'eName' | 'email'
  descending: boolean
}

export const defaultSort: Sort = { by: 'added', descending: false }

/** What pressing a column's header leads to: that column, or the other way round where it is that column already. */
export function toggleSort(sort: Sort, by: Sort['by']): Sort {
  return { by, descending: sort.by === by && !sort.descending }
}

export function isSameSort(a: Sort, b: Sort): boolean {
  return a.by === b.by && a.descending === b.descending
}

/** The order in which a user of these languages looks names up; figures count by their value. */
export function createCollator(languages: readonly string[]): Intl.Collator {
  return new Intl.Collator([...languages], { numeric: true })
}

/**
 * These places of the book in the wanted order. Equals stay in the order of creation both ways, so that a list does not
 * shuffle where it says the same.
 */
export function sortIndices(
  employees: readonly Employee[],
  indices: readonly number[],
  { by, descending }: Sort,
  collator: Intl.Collator,
): readonly number[] {
  if (by === 'added') return descending ? indices.toReversed() : indices
  const compare = collator.compare
  const sign = descending ? -1 : 1
  const text = (index: number) => employees[index]?.[by] ?? ''
  return indices.toSorted((a, b) => sign * compare(text(a), text(b)) || a - b)
}
