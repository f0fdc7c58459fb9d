import type { Outbox } from '../../model/outbox/outbox.ts'

/** Call before the user restores a record: a deletion of it whose answer was lost must not be sent again afterwards. */
export function takeBackDeletion(outbox: Outbox | undefined, recordId: string): void {
  for (const entry of outbox?.entries() ?? []) {
    if (!('operation' in entry)) continue
    const { operation, id } = entry
    if (operation.kind === 'remove' && operation.employee.id === recordId) void outbox?.discard(id)
  }
}
