import type { Colleague } from '../../../../contract/accounts.ts'
import { maxActivitySubjects } from '../../../../contract/activity/activity.ts'
import { hasTerms } from '../../../lib/texts/has-terms.ts'
import { type Searchable, toSearchable } from '../../../lib/texts/normalize-text.ts'

export interface Subjects {
  records: string[]
  people: string[]
}

/**
 * Returns records and people of whom each entry with all terms names at least one: those that have the rarest term. Undefined if they
 * are too many for the service. `texts`: those of the existing records, by their ids.
 */
export function findSubjects(
  terms: readonly string[],
  texts: ReadonlyMap<string, Searchable>,
  people: readonly Colleague[],
): Subjects | undefined {
  const emails = people.map(({ id, email }) => [id, toSearchable('', email)] as const)
  const found = terms.flatMap((term) => {
    const [some, others] = [findIds(texts, term), findIds(emails, term)]
    return some && others ? { records: some, people: others } : []
  })
  const sizeOf = (subjects: Subjects) => subjects.records.length + subjects.people.length
  return found.toSorted((a, b) => sizeOf(a) - sizeOf(b))[0]
}

function findIds(texts: Iterable<readonly [string, Searchable]>, term: string): string[] | undefined {
  const ids: string[] = []
  for (const [id, text] of texts) {
    if (!hasTerms([term], text)) continue
    if (ids.length === maxActivitySubjects) return
    ids.push(id)
  }
  return ids
}
