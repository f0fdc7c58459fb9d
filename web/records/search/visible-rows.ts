import type { Employee } from '../../../contract/employees.ts'

/** The rows of the table: records of the book, in the order in which they are looked at. */
export interface Rows {
  book: readonly Employee[]
  /** The places in the book of what is looked at; null: all of it, as it is, without 100,000 numbers to say so. */
  places: readonly number[] | null
}

export interface Row {
  employee: Employee
  /** From 1, in the order of creation. */
  number: number
}

export function allRows(book: readonly Employee[]): Rows {
  return { book, places: null }
}

export function countOf({ book, places }: Rows): number {
  return (places ?? book).length
}

/** The row at an index from 0; undefined beyond the last. */
export function rowAt({ book, places }: Rows, index: number): Row | undefined {
  const place = places ? places[index] : index
  const employee = place === undefined ? undefined : book[place]
  return employee && { employee, number: (place ?? 0) + 1 }
}

/** The index of the row of the record with this id; -1 where it is not among them. */
export function indexOfRow({ book, places }: Rows, id: string | undefined): number {
  if (id === undefined) return -1
  const place = book.findIndex((employee) => employee.id === id)
  return places && place >= 0 ? places.indexOf(place) : place
}
