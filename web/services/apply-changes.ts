import { type Employee, sameFields } from '../../contract/employees.ts'
import type { Change } from '../../contract/protocol.ts'

/** The list after these changes. A change that says nothing new gives back the very same array. */
export function applyChanges(book: Employee[], changes: readonly Change[]): Employee[] {
  return changes.reduce(applyChange, book)
}

function applyChange(book: Employee[], change: Change): Employee[] {
  return change.type === 'removed' ? without(book, change.id) : withSaved(book, change.document, change.after)
}

export function without(book: Employee[], id: string): Employee[] {
  const index = book.findIndex((employee) => employee.id === id)
  return index < 0 ? book : book.toSpliced(index, 1)
}

/** Replaces the record with this id or, where there is none, puts it behind the record `after`. */
export function withSaved(book: Employee[], employee: Employee, after: string | null): Employee[] {
  // Most changes are to the newest records, so both look-ups go from the end.
  const index = book.findLastIndex(({ id }) => id === employee.id)
  const present = book[index]
  if (present) return sameFields(present, employee) ? book : book.with(index, employee)
  if (after === null) return [employee, ...book]
  const place = book.findLastIndex(({ id }) => id === after)
  return place < 0 ? [...book, employee] : book.toSpliced(place + 1, 0, employee)
}
