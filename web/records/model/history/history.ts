import { createContext, use } from 'react'
import type { User } from '../../../../contract/accounts.ts'
import { type ActivityReport, maxReportedIds } from '../../../../contract/history.ts'
import type {
  HistoryService,
  PreviousPasswordService,
  Services,
  TeamService,
} from '../../../backends/ports.ts'

/** What the service remembers of the records, and what the page reports to it. */
export interface History {
  email: string
  uid: string
  /** Undefined if the service remembers nothing. */
  service?: HistoryService
  /** Undefined if the service keeps none. */
  previousPasswords?: PreviousPasswordService
  listColleagues?: TeamService['listColleagues']
  /** Undefined if it makes no links to credentials. */
  team?: TeamService
  /** The session is about to end: what is requested now would be refused. */
  isLoggingOut: boolean
  /** Never waits and never fails. `ids` name at most `maxReportedIds` records. */
  report(report: ActivityReport): void
  /** Sends the reports that are being collected. Never fails. */
  sendReports?(): Promise<void>
}

export const HistoryContext = createContext<History>({
  email: '',
  uid: '',
  isLoggingOut: false,
  report: () => {},
})

export const useHistory = () => use(HistoryContext)

export function createHistory({ identity, documents }: Services, { email, uid }: User): History {
  const { history: service, previousPasswords } = documents
  const { team } = identity
  return {
    email,
    uid,
    isLoggingOut: false,
    report: () => {},
    ...(previousPasswords && { previousPasswords }),
    ...(service && { service, ...createReporter(service) }),
    ...(team && { listColleagues: team.listColleagues }),
    ...(service && team && { team }),
  }
}

/** How long reports of the same kind are collected, in ms. */
const collectMs = 1_000

/** Collects reports and sends them, best effort: a report that can't be sent is lost. */
function createReporter(service: HistoryService): Pick<History, 'report' | 'sendReports'> {
  const waiting: ActivityReport[] = []
  let sending = Promise.resolve()

  async function send() {
    try {
      for (const report of waiting.splice(0)) await service.report(report)
    } catch {}
  }

  const sendReports = () => (sending = sending.then(send))
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) void sendReports()
  })

  function report(report: ActivityReport) {
    if (waiting.length === 0) setTimeout(sendReports, collectMs)
    const same = waiting.find(({ kind, ids = [] }) => kind === report.kind && ids.length < maxReportedIds)
    if (same?.ids && report.ids?.length === 1) same.ids = [...new Set([...same.ids, ...report.ids])]
    else waiting.push({ ...report })
  }
  return { report, sendReports }
}
