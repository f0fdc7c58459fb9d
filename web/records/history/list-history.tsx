import type { Employee } from '../../../contract/employees.ts'
import { lazyPart, OnDemand } from '../../ui/lazy-part.tsx'
import { loadFailed } from '../../ui/messages.ts'
import { useToast } from '../../ui/toast.tsx'
import type { SearchParams } from '../search/search-params.ts'
import type { ChangeTimes } from '../search/sort.ts'
import { useHistory } from './history.ts'

const ExposedBanner = lazyPart(() => import('./exposed-banner.tsx').then((module) => module.ExposedBanner))
const ChangeTimesLoader = lazyPart(() =>
  import('./change-times.tsx').then((module) => module.ChangeTimesLoader),
)

interface ListHistoryProps {
  employees: readonly Employee[]
  searchParams: SearchParams
  onExposedIds(ids: ReadonlySet<string> | null): void
  onChangeTimes(times: ChangeTimes | null): void
  onClear(): void
}

/** Loads what the search needs of the history, and shows why the table is narrowed by it. */
export function ListHistory(props: ListHistoryProps) {
  const { employees, searchParams, onExposedIds, onChangeTimes, onClear } = props
  const showToast = useToast()
  const { leaver, sort } = searchParams
  const history = useHistory()
  return (
    <OnDemand onLoadError={() => showToast(loadFailed)}>
      {history && leaver && (
        <ExposedBanner
          key={leaver}
          history={history}
          accountId={leaver}
          employees={employees}
          onChange={onExposedIds}
          onClear={onClear}
        />
      )}
      {history && sort.by === 'changed' && (
        <ChangeTimesLoader
          history={history}
          employees={employees}
          onLoad={onChangeTimes}
          onError={showToast}
        />
      )}
    </OnDemand>
  )
}
