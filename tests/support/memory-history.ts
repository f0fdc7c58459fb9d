import type { EmployeeFields } from '../../contract/employees.ts'
import type {
  ActivityReport,
  DeletedEmployee,
  PreviousPassword,
  RecordDetails,
  RecordEvent,
} from '../../contract/history.ts'

interface Entry {
  details: RecordDetails
  password: string
  /** The numbers of the changes that first set each password. */
  passwordChanges: Map<string, number>
  /** Set while the record is deleted. */
  deleted?: DeletedEmployee
}

/** What an in-memory service remembers of each record. `getTime` returns milliseconds since 1970. */
export function createMemoryHistory(getTime: () => number) {
  /** Sorted by the latest change. */
  const entries = new Map<string, Entry>()
  /** The number of the latest change when an account was removed, by its id. */
  const removals = new Map<string, number>()
  /** The passwords that records had before, the latest first. */
  const previous = new Map<string, (PreviousPassword & { password: string })[]>()
  let changeCount = 0
  const reports: ActivityReport[] = []
  /** The events of each record, the latest first. */
  const events = new Map<string, RecordEvent[]>()
  const now = () => new Date(getTime()).toISOString()

  function recordEvent(id: string, kind: RecordEvent['kind'], by: string) {
    events.set(id, [{ at: now(), kind, by }, ...(events.get(id) ?? [])])
  }

  return {
    events,
    /** Everything that has been reported to the service. */
    reports,
    previous,
    keptDays: 30,

    recordSave(id: string, { password }: EmployeeFields, changedBy: string) {
      changeCount++
      const earlier = entries.get(id)
      recordEvent(id, earlier?.deleted ? 'restore' : earlier ? 'change' : 'add', changedBy)
      const changedAt = now()
      const { passwordChangedAt = changedAt }: Partial<RecordDetails> =
        earlier?.password === password ? earlier.details : {}
      if (earlier && earlier.password !== password) {
        const replaced = { key: `${changeCount}`, replacedAt: changedAt, replacedBy: changedBy }
        previous.set(id, [{ ...replaced, password: earlier.password }, ...(previous.get(id) ?? [])])
      }
      const passwordChanges = new Map([[password, changeCount], ...(earlier?.passwordChanges ?? [])])
      entries.delete(id)
      entries.set(id, { details: { id, changedAt, changedBy, passwordChangedAt }, password, passwordChanges })
    },

    recordRemoval(id: string, fields: EmployeeFields, deletedBy: string) {
      const entry = entries.get(id)
      if (!entry) return
      recordEvent(id, 'delete', deletedBy)
      entries.delete(id)
      entries.set(id, { ...entry, deleted: { id, ...fields, deletedAt: now(), deletedBy } })
    },

    recordReport(report: ActivityReport, by: string) {
      reports.push(report)
      for (const id of report.ids ?? []) recordEvent(id, report.kind, by)
    },

    recordAccountRemoval: (uid: string) => removals.set(uid, changeCount),

    /** Forgets what was recorded before, as if the service had been upgraded since. */
    forget: () => entries.clear(),

    details: (ids: string[]) =>
      ids.flatMap((id) => {
        const entry = entries.get(id)
        return entry && !entry.deleted ? [entry.details] : []
      }),

    /** The latest deleted first. */
    deleted: () => [...entries.values()].flatMap(({ deleted = [] }) => deleted).reverse(),

    /** Whether the record has had its password since before the account was removed. */
    isExposed(id: string, uid: string) {
      const { password = '', passwordChanges } = entries.get(id) ?? {}
      return (passwordChanges?.get(password) ?? 0) <= (removals.get(uid) ?? Number.NEGATIVE_INFINITY)
    },
  }
}
