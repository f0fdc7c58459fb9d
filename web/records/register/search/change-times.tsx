import { useEffect, useEffectEvent } from 'react'
import type { Employee } from '../../../../contract/employees.ts'
import { maxDetailIds } from '../../../../contract/history.ts'
import { errorMessage } from '../../../backends/messages.ts'
import type { HistoryService } from '../../../backends/ports.ts'
import { useToast } from '../../../ui/toast.tsx'
import type { ChangeTimes } from '../../model/search/sort.ts'

interface ChangeTimesLoaderProps {
  service: HistoryService
  employees: readonly Employee[]
  onLoad(times: ChangeTimes | null): void
}

/** When the records were last changed. A changed record is another object, so its time is loaded again. */
const times = new WeakMap<Employee, number>()

/** Loads when each record was last changed, and again what changes meanwhile. Renders nothing. */
export function ChangeTimesLoader({ service, employees, onLoad }: ChangeTimesLoaderProps) {
  const showToast = useToast()

  const load = useEffectEvent(async () => {
    const publish = () => onLoad({ of: (employee) => times.get(employee) ?? Number.POSITIVE_INFINITY })
    const missing = employees.filter((employee) => !times.has(employee))
    // They have just changed.
    for (const employee of missing) times.set(employee, Number.POSITIVE_INFINITY)
    publish()
    if (missing.length === 0) return
    try {
      const details = await service.details(
        missing.length > maxDetailIds ? undefined : missing.map(({ id }) => id),
      )
      const changedAt = new Map(details.map(({ id, changedAt = '' }) => [id, Date.parse(changedAt)]))
      for (const employee of missing)
        times.set(employee, changedAt.get(employee.id) || Number.NEGATIVE_INFINITY)
      publish()
    } catch (error) {
      for (const employee of missing) times.delete(employee)
      showToast(errorMessage(error))
    }
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the records may have made some newer
  useEffect(() => void load(), [employees])

  const forget = useEffectEvent(() => onLoad(null))
  useEffect(() => () => forget(), [])
  return null
}
