import { lazyPart } from '../../ui/lazy-part.tsx'
import { OnDemand } from '../on-demand.tsx'
import type { SearchParams } from '../search/search-params.ts'
import type { ChangeTimes } from '../search/sort.ts'
import type { ExposedBannerProps } from './exposed-banner.tsx'
import { useHistory } from './history.ts'

const ExposedBanner = lazyPart(async () => (await import('./exposed-banner.tsx')).ExposedBanner)
const ChangeTimesLoader = lazyPart(async () => (await import('./change-times.tsx')).ChangeTimesLoader)

interface ListHistoryProps extends Omit<ExposedBannerProps, 'service' | 'accountId'> {
  searchParams: SearchParams
  onChangeTimes(times: ChangeTimes | null): void
}

/** Loads what the search needs of the history, and shows why the table is narrowed by it. */
export function ListHistory({ searchParams, onChangeTimes, ...props }: ListHistoryProps) {
  const { leaver, sort } = searchParams
  const { service } = useHistory()
  return (
    <OnDemand>
      {service && leaver && <ExposedBanner key={leaver} service={service} accountId={leaver} {...props} />}
      {service && sort.by === 'changed' && (
        <ChangeTimesLoader service={service} employees={props.employees} onLoad={onChangeTimes} />
      )}
    </OnDemand>
  )
}
