import type { Employee } from '../../../contract/employees.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { OnDemand } from '../on-demand.tsx'
import type { SearchParams } from '../search/search-params.ts'
import type { ChangeTimes } from '../search/sort.ts'
import { useHistory } from './history.ts'

const ExposedBanner = lazyPart(async () => (await import('./exposed-banner.tsx')).ExposedBanner)
const ChangeTimesLoader = lazyPart(async () => (await import('./change-times.tsx')).ChangeTimesLoader)

interface ListHistoryProps {
  employees: readonly Employee[]
  searchParams: SearchParams
  onExposedIds(ids: ReadonlySet<string> | null): void
  onChangeTimes(times: ChangeTimes | null): void
  onStart: (() => void) | null
  onDelete(employee: Employee): void
  onClear(): void
}

/** Loads what the search needs of the history, and shows why the table is narrowed by it. */
export function ListHistory(props: ListHistoryProps) {
  const { employees, searchParams, onExposedIds, onChangeTimes, onStart, onDelete, onClear } = props
  const { leaver, sort } = searchParams
  const { service } = useHistory()
  return (
    <OnDemand>
      {service && leaver && (
        <ExposedBanner
          key={leaver}
          service={service}
          accountId={leaver}
          employees={employees}
          onChange={onExposedIds}
          onStart={onStart}
          onDelete={onDelete}
          onClear={onClear}
        />
      )}
      {service && sort.by === 'changed' && (
        <ChangeTimesLoader service={service} employees={employees} onLoad={onChangeTimes} />
      )}
    </OnDemand>
  )
}
