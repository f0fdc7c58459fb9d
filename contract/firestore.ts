import type { Employee } from './employees.ts'

// What of Firestore the page and who moves a register have in common. Apart from the project's configuration,
// so that the account screens need not load it.

/** Firestore takes 500 writes and 10 MiB at once; smaller parts go through slow lines in time. */
const partLimits = { maxWrites: 400, maxCharacters: 500_000 } as const

/** New records in parts that Firestore takes at once, limited in number and in size. */
export function splitIntoParts(employees: Employee[]): Employee[][] {
  const parts: Employee[][] = []
  let charactersLeft = 0
  for (const employee of employees) {
    const { eName, email, password } = employee
    const size = eName.length + email.length + password.length
    const last = parts.at(-1)
    if (last && last.length < partLimits.maxWrites && charactersLeft >= size) last.push(employee)
    else {
      parts.push([employee])
      charactersLeft = partLimits.maxCharacters
    }
    charactersLeft -= size
  }
  return parts
}

/** Parts of so many items; the last has what is left. */
export function splitIntoChunks<T>(items: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  )
}

/** An id that says where its record stands in the list (docs/decisions/0021-order-by-id.md). */
export const orderedIdPattern = /^[0-9a-f]{32}([0-9a-f]{5})?-[A-Za-z0-9_-]{1,64}$/

/**
 * The id of the record that this person adds with this key: the same each time it is sent, and of nobody else's. The
 * key is a UUID of version 7, so ids sort by the time at which a record was submitted, and the list's order needs no
 * field of its own. Of a batch, which has one key for all, `row` is the place of the record in it.
 */
export function createRecordId(key: string, uid: string, row?: number): string {
  const timePrefix = key.replaceAll('-', '')
  const rowSuffix = row === undefined ? '' : row.toString(16).padStart(5, '0')
  return `${timePrefix}${rowSuffix}-${uid.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 24)}`
}
