import type { Employee, FieldName } from '../../../../contract/employees.ts'
import { t } from '../../../language/translate.ts'
import { capitalize, fieldViews } from '../fields.ts'

/** `added` is the order of creation, in which the list is stored; `changed` that of the last change. */
export interface Sort {
  by: 'added' | 'changed' | FieldName
  descending: boolean
}

export const defaultSort: Sort = { by: 'added', descending: false }

/** The sort order after a click on a column's header: ascending, or reversed if the column is already sorted. */
export function toggleSort(sort: Sort, by: Sort['by']): Sort {
  return { by, descending: sort.by === by && !sort.descending }
}

export function describeSort({ by, descending }: Sort): string {
  if (by === 'added') return descending ? t('Newest first') : t('Oldest first')
  if (by === 'changed') return descending ? t('Last changed') : t('Changed longest ago')
  const field = capitalize(t(fieldViews[by].noun))
  return descending ? t('{field} Z–A', { field }) : t('{field} A–Z', { field })
}

/** When records were last changed, as far as the service remembers. */
export interface ChangeTimes {
  /** Milliseconds since 1970, or infinite. */
  of(employee: Employee): number
}

/** Compares text by languages, and digits by value. Browsers may report languages that `Intl` rejects, such as C. */
function createCollator(languages: readonly string[]): Intl.Collator {
  return new Intl.Collator(languages.flatMap(toLanguageTags), { numeric: true })
}

function toLanguageTags(text: string): string[] {
  try {
    return Intl.getCanonicalLocales(text)
  } catch {
    return []
  }
}

/**
 * Sorts indices of `employees`, text by the user's languages. Equal values stay in the order of creation; so do all, by `changed`
 * without `changeTimes`.
 */
export function sortIndices(
  employees: readonly Employee[],
  indices: readonly number[],
  { by, descending }: Sort,
  languages: readonly string[],
  changeTimes: ChangeTimes | null = null,
): readonly number[] {
  if (by === 'added') return descending ? indices.toReversed() : indices
  const sign = descending ? -1 : 1
  if (by === 'changed') {
    if (!changeTimes) return indices
    const times = employees.map((employee) => changeTimes.of(employee))
    const time = (index: number) => times[index] ?? 0
    return indices.toSorted((a, b) => (time(a) === time(b) ? a - b : sign * (time(a) < time(b) ? -1 : 1)))
  }
  const { compare } = createCollator(languages)
  const text = (index: number) => employees[index]?.[by] ?? ''
  return indices.toSorted((a, b) => sign * compare(text(a), text(b)) || a - b)
}
