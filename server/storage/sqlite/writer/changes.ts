import type { EmployeeFields } from '../../../../contract/employees.ts'
import type { EmployeeChange, IdentifiedBatch, WriteOutcome } from '../../storage.ts'
import type { BatchWriteResult } from './commands.ts'
import type { Command } from './messages.ts'

/** What an answered command has done to the register, in the order of revisions. */
export function changesOfCommand([name, ...args]: Command, value: unknown): EmployeeChange[] {
  if (name === 'writeBatch') return changesOfBatch(args[0] as IdentifiedBatch, value as BatchWriteResult)
  if (
    name !== 'addEmployee' &&
    name !== 'updateEmployee' &&
    name !== 'removeEmployee' &&
    name !== 'restoreEmployee'
  )
    return []
  const write = value as WriteOutcome
  if (write.outcome !== 'done') return []
  const { seq, revision } = write
  const id = args[0] as string
  return [
    name === 'removeEmployee'
      ? { type: 'removed', id, seq, revision }
      : { type: 'saved', id, seq, revision, ...(args[1] as EmployeeFields) },
  ]
}

function changesOfBatch(
  { add, update, remove }: IdentifiedBatch,
  result: BatchWriteResult,
): EmployeeChange[] {
  const savedEmployees = [...add, ...update.map(({ seen: { id }, fields }) => ({ id, ...fields }))]
  const count = result.seqs.filter((seq) => seq > 0).length
  let revision = result.revision - count
  return result.seqs.flatMap((seq, i): EmployeeChange[] => {
    if (seq === 0) return []
    revision += 1
    const employee = savedEmployees[i]
    if (employee) return [{ type: 'saved', seq, revision, ...employee }]
    const { id } = remove[i - savedEmployees.length] as { id: string }
    return [{ type: 'removed', id, seq, revision }]
  })
}
