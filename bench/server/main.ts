import { measureBatches } from './batches.ts'
import { measureFeed } from './feed.ts'
import { measureLarge } from './large.ts'
import { measureLists } from './lists.ts'
import { measurePostgres } from './postgres.ts'
import { printHeader } from './report.ts'
import { removeFolders } from './servers.ts'
import { measureSessions } from './sessions.ts'
import { measureSlowDisk } from './slow-disk.ts'
import { measureStart } from './start.ts'
import { measureGrowth, measureWrites } from './writes.ts'

/**
 * Measures the server against the bare machine, each pair in turn within one run. Read the ratios: the figures belong
 * to the machine, and the load comes from the same cores. `ROUNDS` and `MILLISECONDS` shorten or lengthen it.
 */
const defaultBenchmarks = {
  measureLists,
  measureWrites,
  measureGrowth,
  measureBatches,
  measureSessions,
  measureFeed,
  measureSlowDisk,
  measureStart,
}
/** Take minutes and gigabytes, or a PostgreSQL, and are measured when they are asked for by name. */
const onDemandBenchmarks = { measureLarge, measurePostgres }
const requestedNames = process.argv.slice(2)

printHeader()
const benchmarks =
  requestedNames.length === 0 ? defaultBenchmarks : { ...defaultBenchmarks, ...onDemandBenchmarks }
for (const [name, part] of Object.entries(benchmarks)) {
  if (requestedNames.length === 0 || requestedNames.includes(name.replace('measure', '').toLowerCase()))
    await part()
}
removeFolders()
