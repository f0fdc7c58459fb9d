import { batchLists } from '../../contract/batches.ts'
import { countCharacters } from '../../contract/employees.ts'
import type { IdentifiedBatch } from './types.ts'

const maxPartChanges = 200
const maxPartCharacters = 256 * 1024

/** Divides a batch into small ones that have the same effect one after the other, so that other requests can run in between. */
export function* splitBatch({ digest, by, ...batch }: IdentifiedBatch): Generator<IdentifiedBatch> {
  const emptyPart = (first: number): IdentifiedBatch => ({
    add: [],
    update: [],
    remove: [],
    digest,
    by,
    first,
  })
  let part = emptyPart(0)
  let [first, changes, characters] = [0, 0, 0]
  for (const name of batchLists) {
    for (const change of batch[name] ?? []) {
      if (changes === maxPartChanges || characters > maxPartCharacters) {
        yield part
        first += changes
        part = emptyPart(first)
        changes = 0
        characters = 0
      }
      part[name] ??= []
      ;(part[name] as unknown[]).push(change)
      changes++
      characters +=
        'seen' in change
          ? countCharacters(change.seen) + countCharacters(change.fields)
          : countCharacters(change)
    }
  }
  yield part
}
