import { useEffect, useEffectEvent } from 'react'
import type { Employee } from '../../../contract/employees.ts'
import { errorMessage } from '../../backends/messages.ts'
import type { HistoryService } from '../../backends/ports.ts'
import { useToast } from '../../ui/toast.tsx'
import type { ChangeTimes } from '../search/sort.ts'
import { useDetailsCache } from './details-cache.ts'

interface ChangeTimesLoaderProps {
  service: HistoryService
  employees: readonly Employee[]
  onLoad(times: ChangeTimes | null): void
}

/** Loads when each record was last changed, and again what changes meanwhile. Renders nothing. */
export function ChangeTimesLoader({ service, employees, onLoad }: ChangeTimesLoaderProps) {
  const showToast = useToast()
  const cache = useDetailsCache(service)
  const version = cache.version()
  const publish = useEffectEvent((times: ChangeTimes | null) => onLoad(times))

  useEffect(() => {
    cache.load(employees).catch((error: unknown) => showToast(errorMessage(error)))
  }, [cache, employees, showToast])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the order changes when more has been loaded
  useEffect(() => {
    publish({
      of(employee) {
        const details = cache.get(employee)
        // It has just changed, and its details are being loaded.
        if (details === undefined) return Number.POSITIVE_INFINITY
        return Date.parse(details?.changedAt ?? '') || Number.NEGATIVE_INFINITY
      },
    })
  }, [cache, version])

  useEffect(() => () => publish(null), [])
  return null
}
