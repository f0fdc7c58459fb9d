import { decideOutcome } from '../../../../contract/batches.ts'
import { type EmployeeFields, hasSameFields } from '../../../../contract/employees.ts'
import type { BatchOutcome, EmployeeChange, IdentifiedBatch, WriteOutcome } from '../../storage.ts'

/** A record's row; `fields` are undefined where the record is removed. */
export interface Row {
  seq: number
  id: string
  revision: number
  fields: EmployeeFields | undefined
}

export type Commands = ReturnType<typeof createDecider>['commands']

/** One write, as it waits for its turn. */
export type Command = { [K in keyof Commands]: [name: K, ...args: Parameters<Commands[K]>] }[keyof Commands]

/**
 * Decides, in memory, what commands do to the register: `rows` are those of the records they name, and of the head its
 * revision and how many places were given. Whoever asks holds the head's lock, and writes what was decided.
 */
export function createDecider(head: { revision: number; places: number }, rows: Map<string, Row>) {
  let { revision, places: lastSeq } = head
  const changes: EmployeeChange[] = []

  /** Gives the next revision. */
  function applyWrite(id: string, seq: number, fields: EmployeeFields | undefined): WriteOutcome {
    revision += 1
    rows.set(id, { seq, id, revision, fields })
    changes.push(toChange({ seq, id, revision, fields }))
    return { outcome: 'done', seq, revision }
  }

  const commands = {
    add(id: string, fields: EmployeeFields): WriteOutcome {
      const row = rows.get(id)
      if (row) return unchanged(row)
      lastSeq += 1
      return applyWrite(id, lastSeq, fields)
    },

    update(id: string, fields: EmployeeFields): WriteOutcome {
      const row = rows.get(id)
      return row?.fields ? applyWrite(id, row.seq, fields) : { outcome: 'not-found' }
    },

    remove(id: string): WriteOutcome {
      const row = rows.get(id)
      return row?.fields ? applyWrite(id, row.seq, undefined) : { outcome: 'not-found' }
    },

    restore(id: string, fields: EmployeeFields): WriteOutcome {
      const row = rows.get(id)
      if (!row) return { outcome: 'not-found' }
      if (!row.fields) return applyWrite(id, row.seq, fields)
      return hasSameFields(row.fields, fields) ? unchanged(row) : { outcome: 'id-in-use' }
    },

    writeBatch({ add, update, remove }: IdentifiedBatch): BatchOutcome {
      const kept: string[] = []
      for (const { id, ...fields } of add) commands.add(id, fields)
      const removals = remove.map((seen) => ({ seen, fields: null }))
      for (const { seen, fields } of [...update, ...removals]) {
        const fate = decideOutcome(rows.get(seen.id)?.fields, seen, fields)
        if (fate === 'conflict') kept.push(seen.id)
        if (fate !== 'write') continue
        if (fields) commands.update(seen.id, fields)
        else commands.remove(seen.id)
      }
      return { revision, kept }
    },
  }

  return {
    commands,
    /** What they have done so far: every change, and each row that is another now. */
    decision: () => ({
      revision,
      places: lastSeq,
      changes,
      writtenRows: [...new Set(changes.map(({ id }) => id))].map((id) => rows.get(id) as Row),
    }),
  }
}

const unchanged = ({ seq, revision }: Row): WriteOutcome => ({ outcome: 'unchanged', seq, revision })

/** The ids of the records that a command names. */
export function commandIds([, first]: Command): string[] {
  if (typeof first === 'string') return [first]
  const { add, update, remove } = first
  return [...add, ...update.map(({ seen }) => seen), ...remove].map(({ id }) => id)
}

export function toChange({ seq, id, revision, fields }: Row): EmployeeChange {
  if (!fields) return { type: 'removed', id, seq, revision }
  return { type: 'saved', id, seq, revision, ...fields }
}
