import { useEffect, useEffectEvent, useState } from 'react'
import type { ActivityEntry, ActivityGroup, ActivityQuery } from '../../../../contract/activity/activity.ts'
import { reportError } from '../../../backends/messages.ts'
import type { HistoryService } from '../../../backends/ports.ts'
import { useWork } from '../../../lib/use-action.ts'
import { findReadAhead } from '../../model/activity/read-ahead.ts'
import { useAppSelector } from '../../model/book/store.ts'
import type { Subjects } from './find-subjects.ts'

/** What is newer is read this often, in ms, while the page is visible. */
const followIntervalMs = 5_000

/** A search begins when nothing has been typed for so long, in ms. */
const typingMs = 200

export interface ActivityFilter {
  kind?: ActivityGroup | undefined
  /** The `uid` of a person; empty is the operator. */
  by?: string | undefined
}

interface Loaded {
  /** The filter that it passes; `key`: with the subjects. */
  list: string
  key: string
  /** The latest first. */
  entries: ActivityEntry[]
  next?: string
  isByPages?: true
}

/** The key of all entries. */
const allKey = '{}'

/**
 * The entries of the log that a filter lets through, and what reads more of them. It follows what happens. Until the entries about other
 * `subjects` are read, it has those that were read last, and is not `isCurrent`.
 */
export function useActivity(
  service: HistoryService,
  { kind, by }: ActivityFilter,
  subjects: Subjects | undefined,
) {
  const work = useWork((failure) => reportError('The activity was not read:', failure))
  const filter = { ...(kind && { kind }), ...(by !== undefined && { by }) }
  const wanted = { ...filter, ...toQuery(subjects) }
  const list = JSON.stringify(filter)
  const key = JSON.stringify(wanted)
  const [loaded, setLoaded] = useState<Loaded | undefined>(() => {
    const page = key === allKey && findReadAhead(service)?.page
    return page ? { list, key, ...page } : undefined
  })
  const isCurrent = loaded?.key === key
  const next = isCurrent ? loaded.next : undefined

  /** What was read meanwhile for another list is not touched. */
  const change = (toNext: (before: Loaded) => Loaded) =>
    setLoaded((before) => (before?.key === key ? toNext(before) : before))

  async function loadFirst(isWanted = () => true) {
    const ahead = key === allKey ? findReadAhead(service) : undefined
    const page = (await ahead?.reading) ?? (await service.listActivity(wanted))
    if (isWanted()) setLoaded({ list, key, ...page })
  }

  async function loadOlder() {
    if (next === undefined || work.isBusy) return
    await work.run(async () => {
      const page = await service.listActivity({ ...wanted, before: next })
      change((before) => ({ list, key, ...page, entries: [...before.entries, ...page.entries] }))
    })
  }

  useStart(key, service, subjects ? typingMs : 0, async (isWanted) => {
    // It may have been read ahead.
    if (!isCurrent) await work.run(() => loadFirst(isWanted))
  })
  useFollowing(async () => {
    if (isCurrent && !document.hidden) await follow(service, wanted, loaded, change)
  })

  return {
    ...work,
    entries: loaded?.list === list ? loaded.entries : null,
    isByPages: loaded?.isByPages,
    isCurrent,
    next,
    hasOlder: next !== undefined,
    loadOlder,
    load: () => void work.run(() => loadFirst()),
  }
}

const toQuery = ({ records = [], people = [] }: Partial<Subjects> = {}): ActivityQuery => ({
  ...(records.length > 0 && { records }),
  ...(people.length > 0 && { people }),
})

/** Starts when the list is another one, and then stays so for some time. */
function useStart(
  key: string,
  service: HistoryService,
  delayMs: number,
  start: (isWanted: () => boolean) => Promise<unknown>,
) {
  const startNow = useEffectEvent(start)
  const readDelay = useEffectEvent(() => delayMs)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter lets through others
  useEffect(() => {
    let isWanted = true
    const run = () => void startNow(() => isWanted)
    const delay = readDelay()
    const timer = delay > 0 ? setTimeout(run, delay) : undefined
    if (timer === undefined) run()
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [key, service])
}

/** Follows what happens in the background, now and then, and after a change of the records, which is logged. */
function useFollowing(follow: () => Promise<unknown>) {
  const followNow = useEffectEvent(() => void follow().catch(() => {}))
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
}

/** Reads what is newer. */
async function follow(
  service: HistoryService,
  wanted: ActivityQuery,
  { list, key, entries }: Loaded,
  change: (toNext: (before: Loaded) => Loaded) => void,
) {
  const after = entries[0]?.id
  const page = await service.listActivity({ ...wanted, ...(after && { after }) })
  const known = new Set(entries.map(({ id }) => id))
  const newer = page.entries.filter(({ id }) => !known.has(id))
  // More than a page: what lies between is not known.
  if (after && page.next !== undefined) change(() => ({ list, key, ...page }))
  else if (newer.length > 0)
    change((before) =>
      before.entries[0]?.id === after ? { ...before, entries: [...newer, ...before.entries] } : before,
    )
}
