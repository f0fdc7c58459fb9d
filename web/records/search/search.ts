import type { Employee, EmployeeFields } from '../../../contract/employees.ts'
import { visibleFieldNames } from '../fields.tsx'
import { normalizeText } from './normalize-text.ts'

/**
 * Creates a searcher that caches the last index and the last matches, because consecutive searches differ by a letter or
 * a record. The cache affects only the time that a search takes, never its result.
 */
export function createSearcher() {
  let index: SearchIndex | null = null
  let matches: SearchMatches | null = null
  return {
    /** Builds the index before the first search, so that the first search is as fast as the following ones. */
    prepare(employees: readonly Employee[]): void {
      index = buildSearchIndex(employees, index)
    },
    /** The indices of the employees that match every term, in ascending order. */
    search(employees: readonly Employee[], terms: readonly string[]): readonly number[] {
      index = buildSearchIndex(employees, index)
      matches = findMatches(index.texts, terms, matches)
      return matches.indices
    },
  }
}

/** The normalized words of a query. A record matches if it contains all of them; an empty list matches every record. */
export function parseSearchTerms(query: string): string[] {
  return normalizeText(query).split(/\s+/u).filter(Boolean)
}

/** A list of employees with the search text of each. */
export interface SearchIndex {
  employees: readonly Employee[]
  texts: readonly string[]
}

/**
 * Builds the index of a list. Reuses the texts of the previous list's common start and end, so that one change among
 * 100,000 records computes one text.
 */
export function buildSearchIndex(employees: readonly Employee[], previous: SearchIndex | null): SearchIndex {
  if (!previous) return { employees, texts: employees.map(getSearchText) }
  if (previous.employees === employees) return previous
  const { length } = employees
  const previousLength = previous.employees.length
  const minLength = Math.min(length, previousLength)
  let prefixLength = 0
  while (prefixLength < minLength && employees[prefixLength] === previous.employees[prefixLength])
    prefixLength++
  let suffixLength = 0
  while (
    suffixLength < minLength - prefixLength &&
    employees[length - 1 - suffixLength] === previous.employees[previousLength - 1 - suffixLength]
  )
    suffixLength++
  const changed = employees.slice(prefixLength, length - suffixLength).map(getSearchText)
  return {
    employees,
    texts: previous.texts
      .slice(0, prefixLength)
      .concat(changed, previous.texts.slice(previousLength - suffixLength)),
  }
}

/** The normalized visible fields, separated by line feeds, which no term can contain. */
export function getSearchText(record: EmployeeFields): string {
  return normalizeText(visibleFieldNames.map((name) => record[name]).join('\n'))
}

/** The result of a search, with its input. */
export interface SearchMatches {
  texts: readonly string[]
  terms: readonly string[]
  /** The indices of the texts that contain every term. */
  indices: readonly number[]
}

/** Searches only the previous matches if the new terms extend the previous ones on the same texts; otherwise all texts. */
export function findMatches(
  texts: readonly string[],
  terms: readonly string[],
  previous: SearchMatches | null,
): SearchMatches {
  const isNarrower =
    previous?.texts === texts && previous.terms.every((term, index) => terms[index]?.startsWith(term))
  let indices = isNarrower ? previous.indices : null
  for (const term of terms) {
    indices = indices ? indices.filter((index) => texts[index]?.includes(term)) : findIndices(texts, term)
  }
  return { texts, terms, indices: indices ?? [...texts.keys()] }
}

function findIndices(texts: readonly string[], term: string): number[] {
  const indices: number[] = []
  for (let index = 0; index < texts.length; index++) if (texts[index]?.includes(term)) indices.push(index)
  return indices
}
