import type { Employee } from '../../../contract/employees.ts'
import { normalizeText } from './normalize-text.ts'

/** The words of a query, each of which a record must hold; none: every record is meant. */
export function parseSearchTerms(query: string): string[] {
  return normalizeText(query).split(/\s+/u).filter(Boolean)
}

/** A book with what each of its records is searched by. */
export interface SearchIndex {
  employees: readonly Employee[]
  texts: readonly string[]
}

/** Made from those of an earlier book where there are some: after one change among 100,000, one key is made anew. */
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

/** What a record is searched by: its name and its email. A line end stands between them, which no term can hold. */
export function getSearchText({ eName, email }: Employee): string {
  return normalizeText(`${eName}\n${email}`)
}

/** What was found, and in what. */
export interface SearchMatches {
  texts: readonly string[]
  terms: readonly string[]
  /** The places of the keys that hold every term. */
  indices: readonly number[]
}

/** Searches among what an earlier search has found, where that was for less of the same; else among all. */
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
