import type { Employee } from '../../../contract/employees.ts'
import { fold } from './normalize-text.ts'

/** The words of a query, each of which a record must hold; none: every record is meant. */
export function termsOf(query: string): string[] {
  return fold(query).split(/\s+/u).filter(Boolean)
}

/** A book with what each of its records is searched by. */
export interface Keys {
  book: readonly Employee[]
  keys: readonly string[]
}

/** Made from those of an earlier book where there are some: after one change among 100,000, one key is made anew. */
export function keysOf(book: readonly Employee[], earlier: Keys | null): Keys {
  if (!earlier) return { book, keys: book.map(keyOf) }
  if (earlier.book === book) return earlier
  const { length } = book
  const before = earlier.book.length
  const shorter = Math.min(length, before)
  let same = 0
  while (same < shorter && book[same] === earlier.book[same]) same++
  let atEnd = 0
  while (atEnd < shorter - same && book[length - 1 - atEnd] === earlier.book[before - 1 - atEnd]) atEnd++
  const changed = book.slice(same, length - atEnd).map(keyOf)
  return { book, keys: earlier.keys.slice(0, same).concat(changed, earlier.keys.slice(before - atEnd)) }
}

/** What a record is searched by: its name and its email. A line end stands between them, which no term can hold. */
export function keyOf({ eName, email }: Employee): string {
  return fold(`${eName}\n${email}`)
}

/** What was found, and in what. */
export interface Finding {
  keys: readonly string[]
  terms: readonly string[]
  /** The places of the keys that hold every term. */
  places: readonly number[]
}

/** Searches among what an earlier search has found, where that was for less of the same; else among all. */
export function search(keys: readonly string[], terms: readonly string[], earlier: Finding | null): Finding {
  const narrows =
    earlier?.keys === keys && earlier.terms.every((term, index) => terms[index]?.startsWith(term))
  let places = narrows ? earlier.places : null
  for (const term of terms) {
    places = places ? places.filter((place) => keys[place]?.includes(term)) : placesOf(keys, term)
  }
  return { keys, terms, places: places ?? [...keys.keys()] }
}

function placesOf(keys: readonly string[], term: string): number[] {
  const places: number[] = []
  for (let place = 0; place < keys.length; place++) if (keys[place]?.includes(term)) places.push(place)
  return places
}
