import { type ActivityReport, maxReportedIds } from '../../../contract/history.ts'
import type { HistoryService } from '../../backends/ports.ts'

/** How long reports of the same kind are collected, in ms. */
const collectMs = 1_000

/** Collects reports and sends them, best effort: a report that can't be sent is lost. */
export function createReporter(load: () => Promise<HistoryService>) {
  let waiting: ActivityReport[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  async function send(reports: ActivityReport[]) {
    const service = await load()
    for (const report of reports) await service.report(report)
  }

  function flush() {
    clearTimeout(timer)
    timer = undefined
    const reports = waiting
    waiting = []
    if (reports.length > 0) void send(reports).catch(() => {})
  }

  document.addEventListener('visibilitychange', () => document.hidden && flush())

  return {
    add(report: ActivityReport) {
      const same = waiting.find(({ kind, ids = [] }) => kind === report.kind && ids.length < maxReportedIds)
      if (same?.ids && report.ids?.length === 1) same.ids = [...new Set([...same.ids, ...report.ids])]
      else waiting.push({ ...report })
      timer ??= setTimeout(flush, collectMs)
    },
  }
}
