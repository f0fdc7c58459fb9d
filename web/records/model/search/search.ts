import type { Employee, EmployeeFields } from '../../../../contract/employees.ts'
import {
  includesTerm,
  normalizeText,
  type Searchable,
  toSearchable,
} from '../../../lib/texts/normalize-text.ts'
import { readableField, textFieldNames, titleField } from '../fields.ts'

/** Creates a searcher that caches the last list and matches: consecutive searches differ by a letter or a record. */
export function createSearcher() {
  let employees: readonly Employee[] = []
  let texts: readonly Searchable[] = []
  /** The indices of all. */
  let all: readonly number[] = []
  let last: { texts: readonly Searchable[]; terms: readonly string[]; indices: readonly number[] } | undefined

  /** Keeps the texts of the common start and end of both lists. Call it before the first search, which is then as fast as any. */
  function prepare(next: readonly Employee[]): void {
    if (next === employees) return
    const minLength = Math.min(next.length, employees.length)
    let prefix = 0
    while (prefix < minLength && next[prefix] === employees[prefix]) prefix++
    let suffix = 0
    while (
      suffix < minLength - prefix &&
      next[next.length - 1 - suffix] === employees[employees.length - 1 - suffix]
    )
      suffix++
    const changed = next.slice(prefix, next.length - suffix).map(getSearchText)
    texts = texts.slice(0, prefix).concat(changed, texts.slice(employees.length - suffix))
    employees = next
    all = [...next.keys()]
  }

  return {
    prepare,
    /** The indices of the employees that match every term, in order. Narrowing the last search goes through its matches only. */
    search(next: readonly Employee[], terms: readonly string[]): readonly number[] {
      prepare(next)
      const isNarrower =
        last?.texts === texts && last.terms.every((term, index) => terms[index]?.startsWith(term))
      let indices = isNarrower && last ? last.indices : all
      for (const term of terms)
        indices = indices.filter((index) => includesTerm(texts[index] as Searchable, term))
      last = { texts, terms, indices }
      return indices
    },
  }
}

/** The normalized words of a query. A record matches if it contains all of them; an empty list matches every record. */
export function parseSearchTerms(query: string): string[] {
  return normalizeText(query).split(/\s+/u).filter(Boolean)
}

/** The searchable visible fields, separated by line feeds, which no term can contain. */
export function getSearchText(record: EmployeeFields): Searchable {
  const others = textFieldNames.map((name) => readableField(record, name))
  return toSearchable(readableField(record, titleField), others.join('\n'))
}
