import type { IdentifiedBatch } from '../../storage.ts'
import type { BatchPart, Command, PartedBatch } from './messages.ts'

/** Puts batches that were sent in parts together, on the writer thread. */
export function createBatchAssembly() {
  const batches = new Map<number, IdentifiedBatch>()
  return {
    addPart({ batchId, part: { add, update, remove } }: BatchPart): void {
      const batch = batches.get(batchId) ?? { add: [], update: [], remove: [] }
      batches.set(batchId, batch)
      batch.add.push(...add)
      batch.update.push(...update)
      batch.remove.push(...remove)
    },

    toCommand(message: Command | PartedBatch): Command {
      if (Array.isArray(message)) return message
      const { batchId, rest } = message
      const batch = batches.get(batchId) as IdentifiedBatch
      batches.delete(batchId)
      return ['writeBatch', { ...batch, ...rest }]
    },
  }
}
