import type { ActivityPage } from '../../../../contract/activity/activity.ts'
import type { HistoryService } from '../../../backends/ports.ts'

/** What was read longer ago is not shown at first, in ms. What has happened since is read soon after it is shown. */
const maxAgeMs = 60_000

interface ReadAhead {
  service: HistoryService
  at: number
  /** Undefined if nothing is read ahead. */
  reading: Promise<ActivityPage | undefined>
  page?: ActivityPage | undefined
}

let latest: ReadAhead | undefined

/** Reads the first page of the activity, which is likely to be asked for next. Never fails. */
export function readActivityAhead(service: HistoryService): void {
  if (findReadAhead(service)) return
  const reading = readFirst(service)
  const ahead: ReadAhead = { service, at: performance.now(), reading }
  latest = ahead
  reading.then(
    (page) => {
      ahead.page = page
    },
    () => {
      if (latest === ahead) latest = undefined
    },
  )
}

async function readFirst(service: HistoryService): Promise<ActivityPage | undefined> {
  const isMetered = await service.isMetered?.()
  return isMetered ? undefined : service.listActivity({})
}

/** The first page, if it was read ahead a moment ago, or is being read. */
export function findReadAhead(service: HistoryService): ReadAhead | undefined {
  return latest?.service === service && performance.now() - latest.at < maxAgeMs ? latest : undefined
}
