import type { EmployeeFields } from '../../../../contract/employees.ts'
import type { BookChange, IdentifiedBatch, WriteOutcome } from '../../storage.ts'
import type { WrittenBatch } from './commands.ts'
import type { Command } from './messages.ts'

/** What an answered command has done to the register, in the order of revisions. */
export function bookChanges([name, ...args]: Command, value: unknown): BookChange[] {
  if (name === 'writeBatch') return changesOfBatch(args[0] as IdentifiedBatch, value as WrittenBatch)
  if (name !== 'addBook' && name !== 'updateBook' && name !== 'removeBook' && name !== 'restoreBook')
    return []
  const write = value as WriteOutcome
  if (write.outcome !== 'done') return []
  const { seq, revision } = write
  const id = args[0] as string
  return [
    name === 'removeBook'
      ? { type: 'removed', id, seq, revision }
      : { type: 'saved', id, seq, revision, ...(args[1] as EmployeeFields) },
  ]
}

function changesOfBatch({ add, update, remove }: IdentifiedBatch, written: WrittenBatch): BookChange[] {
  const saved = [...add, ...update.map(({ seen: { id }, fields }) => ({ id, ...fields }))]
  const count = written.seqs.filter((seq) => seq > 0).length
  let revision = written.revision - count
  return written.seqs.flatMap((seq, i): BookChange[] => {
    if (seq === 0) return []
    revision += 1
    const book = saved[i]
    if (book) return [{ type: 'saved', seq, revision, ...book }]
    const { id } = remove[i - saved.length] as { id: string }
    return [{ type: 'removed', id, seq, revision }]
  })
}
