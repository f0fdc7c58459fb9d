import { type Employee, sameFields } from '../../contract/employees.ts'
import type { Change } from '../../contract/protocol.ts'

/** So many changes are made one by one, each of which looks through the list; one pass for all costs as much as five. */
const fewChanges = 4

/** The list after these changes, in their order. Changes that say nothing new give back the very same array. */
export function applyChanges(book: Employee[], changes: readonly Change[]): Employee[] {
  return changes.length > fewChanges ? applyInOnePass(book, changes) : changes.reduce(applyChange, book)
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

/** A place in the list; one whose record was removed stays, empty, so that what stands behind it needs no telling. */
interface Place {
  employee: Employee | null
  next: Place | null
}

function applyInOnePass(book: Employee[], changes: readonly Change[]): Employee[] {
  const head: Place = { employee: null, next: null }
  const { places, last } = placesOf(book, head, idsIn(changes))
  let end = last
  let isChanged = false

  function save(document: Employee, after: string | null) {
    const present = places.get(document.id)
    if (present?.employee && sameFields(present.employee, document)) return
    isChanged = true
    if (present) {
      present.employee = document
      return
    }
    const before = after === null ? head : (places.get(after) ?? end)
    before.next = { employee: document, next: before.next }
    places.set(document.id, before.next)
    if (before === end) end = before.next
  }

  function remove(id: string) {
    const present = places.get(id)
    if (!present) return
    isChanged = true
    present.employee = null
    places.delete(id)
  }

  for (const change of changes) {
    if (change.type === 'removed') remove(change.id)
    else save(change.document, change.after)
  }
  return isChanged ? employeesFrom(head) : book
}

/** The ids whose places the changes ask for. */
function idsIn(changes: readonly Change[]): Set<string | null> {
  return new Set(
    changes.flatMap((change) =>
      change.type === 'removed' ? [change.id] : [change.document.id, change.after],
    ),
  )
}

/** Links the list up behind `head`; answers its last place, and the places of the records with these ids. */
function placesOf(book: readonly Employee[], head: Place, ids: Set<string | null>) {
  const places = new Map<string, Place>()
  let last = head
  for (const employee of book) {
    last.next = { employee, next: null }
    last = last.next
    if (ids.has(employee.id)) places.set(employee.id, last)
  }
  return { places, last }
}

function employeesFrom(head: Place): Employee[] {
  const employees: Employee[] = []
  for (let place: Place | null = head; place; place = place.next) {
    if (place.employee) employees.push(place.employee)
  }
  return employees
}
