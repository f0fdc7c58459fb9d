import { createContext, type SyntheticEvent, use } from 'react'
import type { ActivityReport } from '../../../contract/history.ts'
import type { HistoryService, Services, TeamService } from '../../backends/ports.ts'
import { closestRow } from '../../lib/dom.ts'
import { type Rows, rowAt } from '../search/visible-rows.ts'

/** What the service remembers of the records, and what the page reports to it. */
export interface History {
  /** The email of the signed-in account. */
  email: string
  load(): Promise<HistoryService>
  loadTeam?(): Promise<TeamService>
  /** Never waits and never fails. `ids` name at most `maxReportedIds` records. */
  report(report: ActivityReport): void
}

/** Null if the service remembers nothing. */
export const HistoryContext = createContext<History | null>(null)

export const useHistory = () => use(HistoryContext)

export function createHistory({ identity, documents }: Services, email: string): History | null {
  if (!documents.loadHistory) return null
  // Methods, which need their object.
  const load = () => documents.loadHistory?.() as Promise<HistoryService>
  const { loadTeam } = identity
  const loadReporter = async () => (await import('./reporter.ts')).createReporter(load)
  let reporter: ReturnType<typeof loadReporter> | undefined
  return {
    email,
    load,
    ...(loadTeam ? { loadTeam } : {}),
    report(report) {
      reporter ??= loadReporter()
      reporter.then(
        ({ add }) => add(report),
        () => {
          reporter = undefined
        },
      )
    },
  }
}

/** The details of this many rows before and after a row are loaded with it, so that the next one has them at once. */
const nearbyRows = 30

/**
 * Returns an event handler of the table. It sets as the title of the row that the pointer or the focus comes to when and by
 * whom its record was last changed. The title is also the row's description, if it has no other.
 */
export function useRowTitles(rows: Rows) {
  const history = useHistory()
  return async ({ target }: SyntheticEvent) => {
    const row = closestRow(target as Element)
    const index = Number(row?.dataset.row)
    const employee = rowAt(rows, index)?.employee
    if (!history || !row || !employee) return
    const nearby = Array.from({ length: 2 * nearbyRows + 1 }, (_, i) => rowAt(rows, index - nearbyRows + i))
    try {
      const { readLastChange } = await import('./last-changed.tsx')
      row.title = await readLastChange(
        history,
        employee,
        nearby.flatMap((each) => each?.employee ?? []),
      )
    } catch {
      // Without a network the row keeps the title that it has.
    }
  }
}
