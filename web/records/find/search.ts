import type { Employee } from '../../../contract/employees.ts'
import { fold } from './fold.ts'

/** The words of a query, each of which a record must hold; none: every record is meant. */
export function termsOf(query: string): string[] {
  return fold(query).split(/\s+/u).filter(Boolean)
}

/** What a record is searched by: its name and its email. A line end stands between them, which no term can hold. */
export function keyOf({ eName, email }: Employee): string {
  return `${fold(eName)}\n${fold(email)}`
}

/** The places of the keys that hold every term. */
export function search(keys: readonly string[], terms: readonly string[]): number[] {
  const found: number[] = []
  for (let place = 0; place < keys.length; place++) {
    const key = keys[place] as string
    if (terms.every((term) => key.includes(term))) found.push(place)
  }
  return found
}
