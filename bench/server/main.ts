import { measureBatches } from './batches.ts'
import { measureFeed } from './feed.ts'
import { measureLists } from './lists.ts'
import { measurePostgres } from './postgres.ts'
import { printHeader } from './report.ts'
import { removeFolders } from './servers.ts'
import { measureSessions } from './sessions.ts'
import { measureSlowDisk } from './slow-disk.ts'
import { measureStart } from './start.ts'
import { measureGrowth, measureWrites } from './writes.ts'

// Measures the server against minimal programs, alternately within one run. Only the ratios are comparable between
// machines. Arguments select benchmarks; ROUNDS and MILLISECONDS shorten or lengthen them.
const benchmarks: Record<string, () => Promise<void>> = {
  lists: measureLists,
  writes: measureWrites,
  growth: measureGrowth,
  batches: measureBatches,
  sessions: measureSessions,
  feed: measureFeed,
  slowdisk: measureSlowDisk,
  start: measureStart,
  postgres: measurePostgres,
}
const requested = process.argv.slice(2)
// PostgreSQL may not be installed, so it runs on request only.
const names = requested.length > 0 ? requested : Object.keys(benchmarks).filter((name) => name !== 'postgres')

printHeader()
for (const name of names) {
  const measure = benchmarks[name]
  if (!measure) throw new Error(`Unknown benchmark "${name}". Known: ${Object.keys(benchmarks).join(', ')}`)
  await measure()
}
removeFolders()
