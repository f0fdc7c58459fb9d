import type { EmployeeFields, SecretFields } from '../../contract/employees.ts'
import type {
  ActivityReport,
  DeletedEmployee,
  PreviousPassword,
  RecordDetails,
} from '../../contract/history.ts'

interface Entry {
  details: RecordDetails
  password: string
  /** The numbers of the changes that first set each password. */
  passwordChanges: Map<string, number>
  /** The latest first. */
  previous: (PreviousPassword & SecretFields)[]
  /** Set while the record is deleted. */
  deleted?: DeletedEmployee
}

/** What an in-memory service remembers of each record. `getTime` returns milliseconds since 1970. */
export function createMemoryHistory(getTime: () => number) {
  /** Sorted by the latest change. */
  const entries = new Map<string, Entry>()
  /** The number of the latest change when an account was removed, by its id. */
  const removals = new Map<string, number>()
  let changeCount = 0
  const reports: ActivityReport[] = []
  const now = () => new Date(getTime()).toISOString()

  return {
    /** Everything that has been reported to the service. */
    reports,
    keptDays: 30,

    recordSave(id: string, { password }: EmployeeFields, changedBy: string) {
      changeCount++
      const earlier = entries.get(id)
      const changedAt = now()
      const { passwordChangedAt = changedAt }: Partial<RecordDetails> =
        earlier?.password === password ? earlier.details : {}
      const passwordChanges = new Map([[password, changeCount], ...(earlier?.passwordChanges ?? [])])
      const replaced = earlier && earlier.password !== password
      const key = String(changeCount)
      const previous = replaced
        ? [
            { key, replacedAt: changedAt, replacedBy: changedBy, password: earlier.password },
            ...earlier.previous,
          ]
        : (earlier?.previous ?? [])
      entries.delete(id)
      entries.set(id, {
        details: { id, changedAt, changedBy, passwordChangedAt },
        password,
        passwordChanges,
        previous: previous.filter((each) => each.password !== password).slice(0, 10),
      })
    },

    recordRemoval(id: string, fields: EmployeeFields, deletedBy: string) {
      const entry = entries.get(id)
      if (!entry) return
      entries.delete(id)
      entries.set(id, { ...entry, deleted: { id, ...fields, deletedAt: now(), deletedBy } })
    },

    recordAccountRemoval: (uid: string) => removals.set(uid, changeCount),

    /** Forgets what was recorded before, as if the service had been upgraded since. */
    forget: () => entries.clear(),

    /** The kept passwords of a record, with their texts. */
    previous: (id: string) => entries.get(id)?.previous ?? [],

    wipePrevious: (id: string) => entries.get(id)?.previous.splice(0),

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
