import { measureActivity } from './activity.ts'
import { measureBatches } from './batches.ts'
import { measureFeed } from './feed.ts'
import { measureLists } from './lists.ts'
import { measureMemory } from './memory.ts'
import { measureNetwork, measurePostgres } from './postgres.ts'
import { printTable } from './report.ts'
import { type Cores, removeFolders, setCores } from './servers.ts'
import { measureSessions } from './sessions.ts'
import { measureSlowDisk } from './slow-disk.ts'
import { measureStart } from './start.ts'
import { measureGrowth, measureWrites } from './writes.ts'

// Measures the server that `npm start` starts against minimal programs, alternately within one run. Only the ratios are
// comparable between machines. Those that depend on the number of cores are measured with all cores and, on Linux, with
// one. Arguments select benchmarks; ROUNDS and MILLISECONDS shorten or lengthen them.
const benchmarks: Record<string, (cores: Cores) => Promise<void>> = {
  lists: measureLists,
  writes: measureWrites,
  growth: measureGrowth,
  batches: measureBatches,
  sessions: measureSessions,
  feed: measureFeed,
  slowdisk: measureSlowDisk,
  start: measureStart,
  memory: measureMemory,
  postgres: measurePostgres,
  network: measureNetwork,
  activity: measureActivity,
}
const requested = process.argv.slice(2)
// Those with PostgreSQL run on request only.
const names =
  requested.length > 0
    ? requested
    : Object.keys(benchmarks).filter((name) => !['postgres', 'network', 'activity'].includes(name))

const dependsOnCores = new Set(['lists', 'writes', 'sessions', 'feed', 'start'])

for (const name of names) {
  const measure = benchmarks[name]
  if (!measure) throw new Error(`Unknown benchmark "${name}". Known: ${Object.keys(benchmarks).join(', ')}`)
  const canLimitCores = process.platform === 'linux' && dependsOnCores.has(name)
  for (const cores of canLimitCores ? (['all cores', 'one core'] as const) : (['all cores'] as const)) {
    setCores(cores)
    await measure(cores)
  }
}
removeFolders()
printTable()
