import { createContext, use } from 'react'
import { type ActivityReport, maxReportedIds } from '../../../contract/history.ts'
import type {
  DocumentStore,
  HistoryService,
  PreviousPasswordService,
  Services,
  TeamService,
} from '../../backends/ports.ts'

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
  let report: History['report'] | undefined
  return {
    email,
    load,
    ...(loadTeam ? { loadTeam } : {}),
    report(activity) {
      report ??= createReporter(load)
      report(activity)
    },
  }
}

/** Where the passwords that records had before are read. */
export interface PreviousPasswords {
  /** The email of the signed-in account. */
  email: string
  load(): Promise<PreviousPasswordService>
}

/** Null if the service keeps none. */
export function createPreviousPasswords(documents: DocumentStore, email: string): PreviousPasswords | null {
  if (!documents.loadPreviousPasswords) return null
  return { email, load: () => documents.loadPreviousPasswords?.() as Promise<PreviousPasswordService> }
}

/** How long reports of the same kind are collected, in ms. */
const collectMs = 1_000

/** Collects reports and sends them, best effort: a report that can't be sent is lost. */
function createReporter(load: () => Promise<HistoryService>): History['report'] {
  let waiting: ActivityReport[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  async function flush() {
    clearTimeout(timer)
    timer = undefined
    const reports = waiting
    waiting = []
    if (reports.length === 0) return
    try {
      const service = await load()
      for (const report of reports) await service.report(report)
    } catch {}
  }

  document.addEventListener('visibilitychange', () => document.hidden && flush())

  return (report) => {
    const same = waiting.find(({ kind, ids = [] }) => kind === report.kind && ids.length < maxReportedIds)
    if (same?.ids && report.ids?.length === 1) same.ids = [...new Set([...same.ids, ...report.ids])]
    else waiting.push({ ...report })
    timer ??= setTimeout(flush, collectMs)
  }
}
