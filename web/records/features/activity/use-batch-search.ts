import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import type { ActivityEntry } from '../../../../contract/activity/activity.ts'
import type { RecordEvent } from '../../../../contract/history.ts'
import type { HistoryService } from '../../../backends/ports.ts'
import { hasTerms } from '../../../lib/texts/has-terms.ts'
import type { Searchable } from '../../../lib/texts/normalize-text.ts'

/** A name that more records have finds no batches: the history of each is read. */
const maxSearchedRecords = 10

/** The ids of records by the ids of the entries that are about them and others. */
export type BatchMatches = ReadonlyMap<string, string[]>

const batchKinds: readonly string[] = ['import', 'change', 'delete', 'restore']

/** The same for an entry about many records and for the event in the history of each. */
const toKey = ({ at, by = '' }: { at: string; by?: string }, kind: string) =>
  `${at} ${by} ${kind === 'import' ? 'add' : kind}`

/** Finds the entries about many records, among which is one that a search finds. An entry names none of many. */
export function useBatchSearch(
  service: HistoryService,
  entries: readonly ActivityEntry[],
  terms: readonly string[],
  texts: ReadonlyMap<string, Searchable>,
): BatchMatches {
  const [histories, setHistories] = useState<ReadonlyMap<string, ReadonlySet<string>>>(new Map())
  const key = terms.join(' ')
  const ids = useMemo(() => findRecords(key ? key.split(' ') : [], texts), [key, texts])

  const readMissing = useEffectEvent(async (isCurrent: () => boolean) => {
    for (const id of ids) {
      if (histories.has(id)) continue
      // Without its history a record is in no batch.
      const events = await service.listEvents(id).catch((): RecordEvent[] => [])
      if (!isCurrent()) return
      const keys = new Set(events.map((event) => toKey(event, event.kind)))
      setHistories((before) => new Map(before).set(id, keys))
    }
  })
  useEffect(() => {
    if (ids.length === 0) return
    let isCurrent = true
    void readMissing(() => isCurrent)
    return () => {
      isCurrent = false
    }
  }, [ids])

  return useMemo(() => {
    const found = new Map<string, string[]>()
    for (const entry of entries) {
      if (entry.record !== undefined || !batchKinds.includes(entry.kind)) continue
      const matches = ids.filter((id) => histories.get(id)?.has(toKey(entry, entry.kind)))
      if (matches.length > 0) found.set(entry.id, matches)
    }
    return found
  }, [entries, ids, histories])
}

/** The records whose texts have every term; none if they are too many. */
function findRecords(terms: readonly string[], texts: ReadonlyMap<string, Searchable>): string[] {
  if (terms.length === 0) return []
  const found: string[] = []
  for (const [id, text] of texts) {
    if (!hasTerms(terms, text)) continue
    found.push(id)
    if (found.length > maxSearchedRecords) return []
  }
  return found
}
