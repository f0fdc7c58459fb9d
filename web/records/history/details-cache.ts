import { useSyncExternalStore } from 'react'
import type { Employee } from '../../../contract/employees.ts'
import { maxDetailIds, type RecordDetails } from '../../../contract/history.ts'
import type { HistoryService } from '../../backends/ports.ts'

type DetailsCache = ReturnType<typeof createDetailsCache>

/** One per page, so that the form and the sort order share it. */
const caches = new WeakMap<HistoryService, DetailsCache>()

/** The details of the records, as far as they have been loaded. Renders again when that changes. */
export function useDetailsCache(service: HistoryService): DetailsCache {
  const cache = caches.get(service) ?? createDetailsCache(service)
  caches.set(service, cache)
  useSyncExternalStore(cache.subscribe, cache.version)
  return cache
}

/** A changed record is another object in the book, so its details are loaded again. */
function createDetailsCache(service: HistoryService) {
  const loaded = new WeakMap<Employee, RecordDetails | null>()
  const loading = new WeakMap<Employee, Promise<void>>()
  const listeners = new Set<() => void>()
  let version = 0

  async function read(employees: readonly Employee[]) {
    const ids = employees.length <= maxDetailIds ? employees.map(({ id }) => id) : undefined
    const details = await service.details(ids)
    const byId = new Map(details.map((each) => [each.id, each]))
    for (const employee of employees) loaded.set(employee, byId.get(employee.id) ?? null)
    version++
    for (const listener of listeners) listener()
  }

  return {
    /** Undefined if they have not been loaded, null if the service knows nothing. */
    get: (employee: Employee) => loaded.get(employee),
    /** Loads what is missing, or all of it, in one request. Rejects with a `ServiceError`. */
    async load(employees: readonly Employee[], { mayBeCached = true } = {}): Promise<void> {
      const missing = mayBeCached ? employees.filter((employee) => !loaded.has(employee)) : employees
      const wanted = missing.filter((employee) => !loading.has(employee))
      if (wanted.length > 0) {
        const reading = read(wanted).finally(() => {
          for (const employee of wanted) loading.delete(employee)
        })
        for (const employee of wanted) loading.set(employee, reading)
      }
      await Promise.all(new Set(missing.map((employee) => loading.get(employee))))
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    version: () => version,
  }
}
