import type { Employee, EmployeeFields } from '../../../../contract/employees.ts'
import {
  includesTerm,
  normalizeText,
  type Searchable,
  toSearchable,
} from '../../../lib/texts/normalize-text.ts'
import { readableField, textFieldNames, titleField } from '../fields.ts'

/** Reading so many records takes 0.1 ms on a slow laptop. */
const recordsPerStep = 64

/** Creates a searcher that caches the last list and matches: consecutive searches differ by a letter or a record. */
export function createSearcher() {
  let employees: readonly Employee[] = []
  /** With holes where they are not needed yet. A search of 100,000 texts is faster than one of as many objects. */
  let texts: string[] = []
  let starts: number[] = []
  let last:
    | { employees: readonly Employee[]; terms: readonly string[]; indices: readonly number[] }
    | undefined

  /** Keeps what is known of the common start and end of both lists. */
  function take(next: readonly Employee[]): void {
    if (next === employees) return
    const { prefix, suffix } = countCommon(employees, next)
    const keepCommon = <Value>(values: Value[]) =>
      values
        .slice(0, prefix)
        .concat(Array(next.length - suffix - prefix), values.slice(employees.length - suffix))
    texts = keepCommon(texts)
    starts = keepCommon(starts)
    employees = next
  }

  function getText(index: number): string {
    const searchable = getSearchText(employees[index] as Employee)
    starts[index] = searchable.starts
    texts[index] = searchable.text
    return searchable.text
  }

  return {
    /** Does in steps what the first search would have to do. */
    *prepare(next: readonly Employee[]): Generator<void, void, void> {
      take(next)
      for (let index = 0; index < employees.length; index++) {
        if (!texts[index]) getText(index)
        if (index % recordsPerStep === 0) yield
      }
    },
    /** The indices of the employees that match every term, in order. Narrowing the last search goes through its matches only. */
    search(next: readonly Employee[], terms: readonly string[]): readonly number[] {
      take(next)
      const isNarrower =
        last?.employees === employees && last.terms.every((term, index) => terms[index]?.startsWith(term))
      let indices: Iterable<number> = isNarrower && last ? last.indices : texts.keys()
      for (const term of terms) {
        const found: number[] = []
        for (const index of indices) {
          const text = texts[index] ?? getText(index)
          if (includesTerm(text, starts[index] as number, term)) found.push(index)
        }
        indices = found
      }
      last = { employees, terms, indices: [...indices] }
      return last.indices
    },
  }
}

/** How many records at the start and at the end of both lists are the same. */
function countCommon(before: readonly Employee[], after: readonly Employee[]) {
  const firstChange = after.findIndex((each, index) => each !== before[index])
  const lastChange = after.findLastIndex((each, index) => each !== before.at(index - after.length))
  const prefix = firstChange < 0 ? after.length : firstChange
  const rest = Math.min(before.length, after.length) - prefix
  return { prefix, suffix: Math.min(after.length - 1 - lastChange, rest) }
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
