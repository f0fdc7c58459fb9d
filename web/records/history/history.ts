import { createContext, use } from 'react'
import type { ActivityReport } from '../../../contract/history.ts'
import type { HistoryService, Services, TeamService } from '../../backends/ports.ts'

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
