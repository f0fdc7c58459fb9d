import { countCharacters, type Employee } from './employees.ts'

// Separate from firebase.ts so that the account screens do not load it.

/** Firestore accepts 500 writes and 10 MiB per request; smaller parts avoid timeouts on slow connections. */
const partLimits = { maxWrites: 400, maxCharacters: 500_000 } as const

/** Splits new records into parts that fit in one request. */
export function splitIntoParts(employees: Employee[]): Employee[][] {
  const parts: Employee[][] = []
  let charactersLeft = 0
  for (const employee of employees) {
    const size = countCharacters(employee)
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

export function splitIntoChunks<T>(items: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  )
}

/** The collection below each record, with the passwords that it had before; they are kept for so many days. */
export const previousPasswordCollection = 'previous'
export const previousPasswordDays = 30

/**
 * Returns the id of the record that an account adds with an idempotency key (docs/decisions/0021-order-by-id.md). Retries return
 * the same id; other accounts get other ids. The key is a UUID version 7, so ids sort by submission time and records need no
 * field for their order. In a batch, which has one key, `row` is the index of the record.
 */
export function createRecordId(key: string, uid: string, row?: number): string {
  const timePrefix = key.replaceAll('-', '')
  const rowSuffix = row === undefined ? '' : row.toString(16).padStart(5, '0')
  return `${timePrefix}${rowSuffix}-${uid.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 24)}`
}
