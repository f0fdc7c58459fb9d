import { countCharacters, type Employee } from './employees.ts'

// Separate from firebase.ts so that the account screens do not load it.

/** The number of new records of an import that share an entry of the activity. Its id is theirs without the last digit of the row. */
export const importGroupSize = 16

/** The id of the entry for the record's import; undefined if a record with this id was not imported. */
export function toImportId(id: string): string | undefined {
  return /^[0-9a-f]{37}-./.test(id) ? id.slice(0, 36) + id.slice(37) : undefined
}

/** The rules may read 20 documents for a request: the member, and 3 for each group. Smaller parts avoid timeouts on slow connections. */
const partLimits = { maxGroups: 6, maxCharacters: 500_000 } as const

/** Splits groups of new records into parts that fit in one request. */
export function splitIntoParts(groups: Employee[][]): Employee[][][] {
  const parts: Employee[][][] = []
  let charactersLeft = 0
  for (const group of groups) {
    const size = group.reduce((sum, employee) => sum + countCharacters(employee), 0)
    const last = parts.at(-1)
    if (last && last.length < partLimits.maxGroups && charactersLeft >= size) last.push(group)
    else {
      parts.push([group])
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

/** The collection below each record, with the passwords that it had before. */
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
