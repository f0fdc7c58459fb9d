import { type Batch, type BatchResult, decideOutcome } from '../../contract/batches.ts'
import { type EmployeeFields, pickFields } from '../../contract/employees.ts'
import type { ActivityReport, DeletedEmployee, RecordDetails, RecordEvent } from '../../contract/history.ts'
import type { Change } from '../../contract/protocol.ts'

/** A state of a record since a change. */
interface Version {
  /** The revision before the change. */
  revision: number
  at: string
  by: string
  /** Null if the record was deleted. */
  fields: EmployeeFields | null
}

/** The records with all of their states, and every change since the start; a revision is the number of changes before it. */
export function createMemoryDatabase(getTime: () => number) {
  /** Sorted by creation. A deleted record stays, so that it can be restored in its position. */
  const records = new Map<string, Version[]>()
  /** The keys of `records`. */
  const ids: string[] = []
  const changes: Change[] = []
  const idsByKey = new Map<string, string[]>()
  const listeners = new Set<() => void>()
  /** The events of each record, the latest first. */
  const events = new Map<string, RecordEvent[]>()
  const reports: ActivityReport[] = []
  /** What happened before this revision is forgotten. */
  let firstRemembered = 0

  const get = (id: string) => records.get(id)?.at(-1)?.fields ?? undefined
  const list = () =>
    [...records.keys()].flatMap((id) => {
      const fields = get(id)
      return fields ? [{ id, ...fields }] : []
    })
  const notify = () => listeners.forEach((listener) => void queueMicrotask(listener))

  function recordEvent(id: string, kind: RecordEvent['kind'], by: string) {
    const at = new Date(getTime()).toISOString()
    events.set(id, [{ at, kind, by }, ...(events.get(id) ?? [])])
    return at
  }

  function addVersion(id: string, fields: EmployeeFields | null, by: string) {
    const versions = records.get(id) ?? []
    if (!records.has(id)) ids.push(id)
    const kind = !fields ? 'delete' : versions.length === 0 ? 'add' : get(id) ? 'change' : 'restore'
    const at = recordEvent(id, kind, by)
    records.set(id, versions)
    versions.push({ revision: changes.length, at, by, fields })
  }

  /** The id of the record before this one, or null. Searches backwards: most records are added at the end. */
  function findPredecessor(id: string): string | null {
    const position = ids.lastIndexOf(id)
    return ids.findLast((other, i) => i < position && get(other)) ?? null
  }

  function save(id: string, fields: EmployeeFields, by: string): string | null {
    addVersion(id, pickFields(fields), by)
    const after = findPredecessor(id)
    changes.push({ type: 'saved', document: { id, ...pickFields(fields) }, after })
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
      const id = crypto.randomUUID()
      save(id, fields, by)
      return id
    })
    idsByKey.set(key, ids)
    return ids
  }

  function apply(key: string, { add, update, remove: removals }: Batch, by: string): BatchResult {
    const kept: string[] = []
    const ids = addOnce(key, add, by)
    const targets = [...update, ...removals.map((seen) => ({ seen, fields: null }))]
    for (const { seen, fields } of targets) {
      const outcome = decideOutcome(get(seen.id), seen, fields)
      if (outcome === 'conflict') kept.push(seen.id)
      else if (outcome === 'write' && fields) save(seen.id, fields, by)
      else if (outcome === 'write') remove(seen.id, by)
    }
    return { ids, kept }
  }

  /** The states in which a record got another password. */
  function findPasswords(id: string) {
    const versions = records.get(id)?.filter(({ fields }) => fields) ?? []
    return versions.filter(({ fields }, i) => fields?.password !== versions[i - 1]?.fields?.password)
  }

  return {
    get,
    list,
    changes,
    listeners,
    notify,
    save,
    remove,
    addOnce,
    apply,
    events,
    /** Everything that has been reported to the service. */
    reports,

    report(report: ActivityReport, by: string) {
      reports.push(report)
      for (const id of report.ids ?? []) recordEvent(id, report.kind, by)
    },

    /** Forgets what was recorded before, as if the service had been upgraded since. */
    forget() {
      firstRemembered = changes.length
    },

    details: (ids: string[]) =>
      ids.flatMap((id): RecordDetails[] => {
        const { revision = 0, at = '', by = '', fields } = records.get(id)?.at(-1) ?? {}
        const passwordChangedAt = findPasswords(id).at(-1)?.at ?? ''
        return fields && revision >= firstRemembered
          ? [{ id, changedAt: at, changedBy: by, passwordChangedAt }]
          : []
      }),

    /** The passwords that a record had before, the latest first. */
    previousPasswords: (id: string) =>
      findPasswords(id)
        .map(({ revision, at, by }, i, all) => ({
          key: `${revision}`,
          replacedAt: at,
          replacedBy: by,
          password: all[i - 1]?.fields?.password,
        }))
        .filter(({ key }, i) => i > 0 && Number(key) >= firstRemembered)
        .reverse(),

    /** The latest deleted first. */
    deleted: () =>
      [...records]
        .map(([id, versions]) => ({ id, last: versions.at(-1), fields: versions.at(-2)?.fields }))
        .sort((a, b) => (b.last?.revision ?? 0) - (a.last?.revision ?? 0))
        .flatMap(({ id, last, fields }): DeletedEmployee[] =>
          last && !last.fields && fields ? [{ id, ...fields, deletedAt: last.at, deletedBy: last.by }] : [],
        ),

    /** Whether the record has had its password since before a revision. */
    hadPassword: (id: string, before: number) =>
      records
        .get(id)
        ?.some(({ revision, fields }) => revision < before && fields?.password === get(id)?.password) ??
      false,
  }
}
