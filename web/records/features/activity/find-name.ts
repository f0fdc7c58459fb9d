import type { Employee } from '../../../../contract/employees.ts'
import { displayName } from '../../model/fields.ts'

/** The name of a record that exists. */
export type FindName = (id: string) => string | undefined

/** The dialog opens with about so many names. An index of all records would take longer than all else of its script. */
const maxScans = 15

export function createFindName(book: readonly Employee[]): FindName {
  const names = new Map<string, string | undefined>()
  let index: ReadonlyMap<string, Employee> | undefined

  function findRecord(id: string): Employee | undefined {
    if (names.size < maxScans) return book.find((record) => record.id === id)
    index ??= new Map(book.map((record) => [record.id, record]))
    return index.get(id)
  }

  return (id) => {
    if (!names.has(id)) {
      const record = findRecord(id)
      names.set(id, record && displayName(record))
    }
    return names.get(id)
  }
}
