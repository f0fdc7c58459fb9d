import { useEffect, useEffectEvent, useState } from 'react'
import type { ActivityEntry, ActivityGroup } from '../../../../contract/activity/activity.ts'
import { reportError } from '../../../backends/messages.ts'
import type { HistoryService } from '../../../backends/ports.ts'
import { useWork } from '../../../lib/use-action.ts'
import { useAppSelector } from '../../model/book/store.ts'

/** What is newer is read this often, in ms, while the page is visible. */
const followIntervalMs = 5_000

export interface ActivityFilter {
  kind?: ActivityGroup
  /** The `uid` of a person; empty is the operator. */
  by?: string
}

interface Loaded {
  /** The latest first; null until they are read. */
  entries: ActivityEntry[] | null
  next: string | undefined
  isByPages?: true
}

/** The entries of the log that a filter lets through, and what reads more of them. It follows what happens. */
export function useActivity(service: HistoryService, { kind, by }: ActivityFilter) {
  const [loaded, setLoaded] = useState<Loaded>({ entries: null, next: undefined })
  const work = useWork((failure) => reportError('The activity was not read:', failure))
  const filter = { ...(kind && { kind }), ...(by !== undefined && { by }) }
  const key = JSON.stringify(filter)
  const [loadedKey, setLoadedKey] = useState(key)
  const { entries, next, isByPages }: Loaded = loadedKey === key ? loaded : { entries: null, next: undefined }

  async function loadFirst(isCurrent = () => true) {
    const page = await service.listActivity(filter)
    if (!isCurrent()) return
    setLoaded({ next: undefined, ...page })
    setLoadedKey(key)
  }

  async function loadOlder() {
    if (!entries || next === undefined || work.isBusy) return
    await work.run(async () => {
      const page = await service.listActivity({ ...filter, before: next })
      setLoaded({ next: undefined, ...page, entries: [...entries, ...page.entries] })
    })
  }

  /** In the background. */
  async function follow() {
    const after = entries?.[0]?.id
    if (!entries || document.hidden) return
    const page = await service.listActivity({ ...filter, ...(after && { after }) })
    const known = new Set(entries.map(({ id }) => id))
    const newer = page.entries.filter(({ id }) => !known.has(id))
    // More than a page: what lies between is not known.
    if (after && page.next !== undefined) setLoaded({ next: undefined, ...page })
    else if (newer.length > 0) setLoaded({ ...loaded, entries: [...newer, ...entries] })
  }

  const startAgain = useEffectEvent((isCurrent: () => boolean) => work.run(() => loadFirst(isCurrent)))
  const followNow = useEffectEvent(() => void follow().catch(() => {}))

  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter lets through others
  useEffect(() => {
    let isCurrent = true
    void startAgain(() => isCurrent)
    return () => {
      isCurrent = false
    }
  }, [key, service])

  const book = useAppSelector((state) => state.book)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the records is logged
  useEffect(() => {
    const soon = setTimeout(followNow, 300)
    const timer = setInterval(followNow, followIntervalMs)
    return () => {
      clearTimeout(soon)
      clearInterval(timer)
    }
  }, [book])

  return {
    ...work,
    entries,
    isByPages,
    hasOlder: next !== undefined,
    loadOlder,
    load: () => void work.run(loadFirst),
  }
}
