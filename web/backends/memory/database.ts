import { toTimestamp } from '../../../contract/accounts.ts'
import type { ActivityEntry } from '../../../contract/activity/activity.ts'
import {
  type Batch,
  type BatchResult,
  decideBatchRestore,
  decideOutcome,
  describeRestored,
  type RestoredState,
} from '../../../contract/batches.ts'
import {
  completeFields,
  type EmployeeFields,
  fieldOf,
  fillFields,
  secretFieldNames,
} from '../../../contract/employees.ts'
import type { DeletedEmployee, RecordDetails, RecordEvent } from '../../../contract/history.ts'
import type { Change } from '../../../contract/protocol.ts'
import { newIdempotencyKey } from '../idempotency-key.ts'

/** A state of a record since a change. */
interface Version {
  /** The revision before the change. */
  revision: number
  at: string
  by: string
  /** Null if the record was deleted. */
  fields: EmployeeFields | null
}

export type MemoryDatabase = ReturnType<typeof createMemoryDatabase>

/** All that the database stores. */
export interface DatabaseState {
  /** Sorted by creation. A deleted record stays, so that it can be restored in its position. */
  records: Map<string, Version[]>
  changes: Change[]
  idsByKey: Map<string, string[]>
  /** The events of each record, the latest first. */
  events: Map<string, RecordEvent[]>
}

export const createDatabaseState = (): DatabaseState => ({
  records: new Map(),
  changes: [],
  idsByKey: new Map(),
  events: new Map(),
})

type LoggedEvent = Pick<ActivityEntry, 'kind' | 'by' | 'record' | 'count' | 'account' | 'isReported'> & {
  at?: string
}

/** What only pages know. */
const reportedKinds: RecordEvent['kind'][] = ['reveal', 'copy', 'export']

const toLogged = (record: string, kind: RecordEvent['kind'], by?: string, account?: string): LoggedEvent => ({
  ...{ kind, record },
  ...(by && { by }),
  ...(account && { account }),
  ...(reportedKinds.includes(kind) && { isReported: true }),
})

/** What a batch has done, with one entry for each kind. */
const toLoggedBatch = (kinds: readonly RecordEvent['kind'][], by: string): LoggedEvent[] =>
  Array.from(
    Map.groupBy(kinds, (kind) => kind),
    ([kind, all]) => ({ kind: kind === 'add' ? 'import' : kind, by, count: all.length }),
  )

interface DatabaseOptions {
  state: DatabaseState
  getTime(): number
  /** Called after a record was deleted or got another password. */
  onSecretsEnded(id: string): void
  /** Called for what was done to a record, or by a batch to some. */
  onEvent(event: LoggedEvent): void
}

/** The records with all of their states, and every change since the start; a revision is the number of changes before it. */
export function createMemoryDatabase({ state, getTime, onSecretsEnded, onEvent }: DatabaseOptions) {
  const { records, changes, idsByKey, events } = state
  /** The keys of `records`. */
  const ids = [...records.keys()]
  const listeners = new Set<() => void>()

  const get = (id: string) => records.get(id)?.at(-1)?.fields ?? undefined
  /** The fields that a record has, or had last. */
  const getLast = (id: string) => ({ last: lastFieldsOf(records.get(id) ?? []), isRemoved: !get(id) })
  const list = () =>
    ids.flatMap((id) => {
      const fields = get(id)
      return fields ? [{ id, ...fields }] : []
    })
  const notify = () => listeners.forEach((listener) => void queueMicrotask(listener))

  /** The kinds of what the running batch has done, and its time. */
  let batch: { kinds: RecordEvent['kind'][]; at: string } | undefined

  /** `account`: the email of whom it concerns. */
  function recordEvent(id: string, kind: RecordEvent['kind'], by?: string, account?: string) {
    const at = batch?.at ?? toTimestamp(getTime())
    if (batch) batch.kinds.push(kind)
    else onEvent(toLogged(id, kind, by, account))
    events.set(id, [{ at, kind, ...(by && { by }) }, ...(events.get(id) ?? [])])
    return at
  }

  function addVersion(id: string, fields: EmployeeFields | null, by: string) {
    const versions = records.get(id) ?? []
    const before = get(id)
    if (!records.has(id)) ids.push(id)
    const kind = !fields ? 'delete' : versions.length === 0 ? 'add' : before ? 'change' : 'restore'
    const at = recordEvent(id, kind, by)
    records.set(id, versions)
    versions.push({ revision: changes.length, at, by, fields })
    if (before && !(fields && hasSameSecrets(before, fields))) onSecretsEnded(id)
  }

  /** The id of the record before this one, or null. Searches backwards: most records are added at the end. */
  function findPredecessor(id: string): string | null {
    const position = ids.lastIndexOf(id)
    return ids.findLast((other, i) => i < position && get(other)) ?? null
  }

  function save(id: string, fields: EmployeeFields, by: string): string | null {
    const filled = fillFields(fields, lastFieldsOf(records.get(id) ?? []))
    addVersion(id, filled, by)
    const after = findPredecessor(id)
    changes.push({ type: 'saved', document: { id, ...filled }, after })
    notify()
    return after
  }

  function remove(id: string, by: string) {
    if (!get(id)) return
    addVersion(id, null, by)
    changes.push({ type: 'removed', id })
    notify()
  }

  /** Adds records once per key, and returns their ids every time. */
  function addOnce(key: string, employees: EmployeeFields[], by: string): string[] {
    const existingIds = idsByKey.get(key)
    if (existingIds) return existingIds
    const ids = employees.map((fields) => {
      const id = newIdempotencyKey()
      save(id, fields, by)
      return id
    })
    idsByKey.set(key, ids)
    return ids
  }

  function apply(key: string, changes: Batch, by: string): BatchResult {
    const own = { kinds: [], at: toTimestamp(getTime()) }
    batch = own
    const result = executeBatch({ ids, get, getLast, save, remove, addOnce }, key, changes, by)
    for (const event of toLoggedBatch(own.kinds, by)) onEvent({ ...event, at: own.at })
    batch = undefined
    return result
  }

  return {
    ...{ get, getLast, list, changes, listeners, notify, save, remove, addOnce, recordEvent },
    apply,
    listEvents: (id: string): readonly RecordEvent[] | undefined => events.get(id),
    ...createHistoryReads(ids, (id) => records.get(id) ?? []),
  }
}

interface RecordWrites {
  /** The ids of all records, in their order. */
  ids: readonly string[]
  get(id: string): EmployeeFields | undefined
  getLast(id: string): RestoredState
  save(id: string, fields: EmployeeFields, by: string): unknown
  remove(id: string, by: string): void
  addOnce(key: string, employees: EmployeeFields[], by: string): string[]
}

function executeBatch(records: RecordWrites, key: string, batch: Batch, by: string): BatchResult {
  const { ids, get, getLast, save, remove, addOnce } = records
  const { add, update, remove: removals, restore } = batch
  /** Names records in their order, each with the one before it. `restored`: their fields that are others than in the batch, by id. */
  function place(restored: ReadonlyMap<string, EmployeeFields | undefined>) {
    const placed: Required<BatchResult>['restored'] = []
    let after: string | null = null
    for (const id of ids) {
      if (restored.has(id)) placed.push(describeRestored(id, after, restored.get(id)))
      if (get(id)) after = id
    }
    return placed
  }

  const kept: string[] = []
  const addedIds = addOnce(key, add, by)
  const targets = [...update, ...removals.map((seen) => ({ seen, fields: null }))]
  for (const { seen, fields } of targets) {
    const outcome = decideOutcome(get(seen.id), seen, fields)
    if (outcome === 'conflict') kept.push(seen.id)
    else if (outcome === 'write' && fields) save(seen.id, fields, by)
    else if (outcome === 'write') remove(seen.id, by)
  }
  const restored = new Map<string, EmployeeFields | undefined>()
  for (const { id, ...requested } of restore ?? []) {
    const { outcome, fields, other } = decideBatchRestore(getLast(id), requested)
    if (outcome === 'write') save(id, completeFields(fields), by)
    if (outcome === 'conflict') kept.push(id)
    else restored.set(id, other)
  }
  return { ids: [...addedIds], kept, ...(restore && { restored: place(restored) }) }
}

/** What the states of the records tell. `ids` are those of all records, `versionsOf` returns the states of one. */
function createHistoryReads(ids: readonly string[], versionsOf: (id: string) => readonly Version[]) {
  /** The states in which a record got another password. */
  function findPasswords(id: string) {
    const versions = versionsOf(id).flatMap(({ fields, ...rest }) => (fields ? [{ ...rest, fields }] : []))
    return versions.filter(({ fields }, i) => {
      const before = versions[i - 1]
      return !before || !hasSameSecrets(before.fields, fields)
    })
  }

  return {
    /** The fields that a record was added with. */
    getFirst: (id: string) => versionsOf(id)[0]?.fields,

    /** Without what links to the records tell. */
    details: (ids: readonly string[]) =>
      ids.flatMap((id): RecordDetails[] => {
        const { at, by, fields } = versionsOf(id).at(-1) ?? {}
        const passwordChangedAt = findPasswords(id).at(-1)?.at
        return fields && at && by && passwordChangedAt
          ? [{ id, changedAt: at, changedBy: by, passwordChangedAt }]
          : []
      }),

    /** The fields that a record had before its password was changed, the latest first. */
    previousPasswords: (id: string) =>
      findPasswords(id)
        .flatMap(({ revision, at, by }, i, all) => {
          const fields = all[i - 1]?.fields
          return fields ? [{ key: `${revision}`, replacedAt: at, replacedBy: by, fields }] : []
        })
        .reverse(),

    /** The latest deleted first. */
    deleted: () =>
      ids
        .map((id) => ({ id, last: versionsOf(id).at(-1), fields: versionsOf(id).at(-2)?.fields }))
        .sort((a, b) => (b.last?.revision ?? 0) - (a.last?.revision ?? 0))
        .flatMap(({ id, last, fields }): DeletedEmployee[] =>
          last && !last.fields && fields ? [{ id, ...fields, deletedAt: last.at, deletedBy: last.by }] : [],
        ),

    /** Whether the record has, again or still, a password that it had before a revision. */
    hadPassword(id: string, before: number) {
      const current = versionsOf(id).at(-1)?.fields
      return versionsOf(id).some(
        ({ revision, fields }) => revision < before && fields && current && hasSameSecrets(fields, current),
      )
    },
  }
}

/** The fields that a record has, or had before it was deleted. */
const lastFieldsOf = (versions: readonly Version[]) =>
  versions.findLast(({ fields }) => fields)?.fields ?? undefined

const hasSameSecrets = (a: EmployeeFields, b: EmployeeFields) =>
  secretFieldNames.every((name) => fieldOf(a, name) === fieldOf(b, name))
