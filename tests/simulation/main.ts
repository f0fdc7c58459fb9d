import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../../scripts/terminal.ts'
import { Coverage } from './team/coverage.ts'
import { mutations } from './team/mutations.ts'
import { createScenario, type Scenario } from './team/scenario.ts'
import { shrink } from './team/shrink.ts'
import type { Outcome } from './team/simulate.ts'
import { startThreads } from './team/threads.ts'

/** `npm run simulate`: simulates teams, and shrinks what fails. */
const { values } = parseArgs({
  options: {
    /** How many seeds, and the first. */
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    /** This seed only, or the scenario of this file, with its time line. */
    seed: { type: 'string' },
    case: { type: 'string' },
    /** Runs each seed twice, and compares. */
    twice: { type: 'boolean', default: false },
    /** Ends at the first failure, without shrinking it. */
    first: { type: 'boolean', default: false },
    /** Runs the product with this fault: a name in `mutations.ts`. */
    mutation: { type: 'string' },
    /** How many seeds run at once: as many as there are cores. */
    threads: { type: 'string' },
  },
})

const mutation = values.mutation === undefined ? [] : mutations[values.mutation]
if (!mutation) throw new Error(`There are these mutations:\n${Object.keys(mutations).join('\n')}`)
const threads = await startThreads(
  values.threads === undefined ? undefined : Number(values.threads),
  mutation,
)
const run = (scenario: Scenario) => threads.run(scenario)

if (values.case !== undefined) await show(JSON.parse(readFileSync(values.case, 'utf8')))
else if (values.seed !== undefined) await show(createScenario(Number(values.seed)))
else await runSeeds(Number(values.from), Number(values.seeds))
await threads.close()

async function show(scenario: Scenario): Promise<void> {
  const { timeline, problems } = await run(scenario)
  console.log(timeline.join('\n'))
  console.log(problems.length > 0 ? `\n${problems.join('\n')}` : '\nnothing failed')
  process.exitCode = problems.length > 0 ? 1 : 0
}

async function runSeeds(from: number, count: number): Promise<void> {
  const coverage = new Coverage()
  let failedCount = 0
  const startedAt = Date.now()
  let next = from
  let done = 0
  let printedAt = 0
  const isOver = () => next === from + count || (values.first && failedCount > 0)

  async function runOneByOne() {
    while (!isOver()) {
      const scenario = createScenario(next++)
      const outcome = await run(scenario)
      coverage.add(outcome)
      const problems = [...outcome.problems, ...(values.twice ? await compare(scenario, outcome) : [])]
      if (problems.length > 0) {
        failedCount += 1
        await report(scenario, problems)
      }
      done += 1
      if (Date.now() - printedAt < 1_000 && done < count) continue
      printedAt = Date.now()
      printProgress(done, count, failedCount, startedAt)
    }
  }

  await Promise.all(Array.from({ length: threads.count }, runOneByOne))
  process.stderr.write('\n')
  console.log(coverage.describe())
  const missing = coverage.findMissing()
  if (missing.length > 0) console.log(`too rare: ${missing.join(', ')}`)
  process.exitCode = failedCount > 0 || missing.length > 0 ? 1 : 0
}

function printProgress(done: number, count: number, failures: number, startedAt: number): void {
  const perSecond = (done / (Date.now() - startedAt)) * 1_000
  const minutesLeft = Math.ceil((count - done) / perSecond / 60)
  const text = `${done} of ${count} seeds, ${perSecond.toFixed(1)} a second, ${failures} failed, ${minutesLeft} min left`
  process.stderr.write(process.stderr.isTTY ? `\r${text} ` : `${text}\n`)
}

/** Says in what a second run differs. */
async function compare(scenario: Scenario, { timeline }: Outcome): Promise<string[]> {
  const again = (await run(scenario)).timeline
  const index = timeline.findIndex((line, i) => line !== again[i])
  return index < 0 && timeline.length === again.length
    ? []
    : [`a second run differs in line ${index}: ${timeline[index]} – ${again[index]}`]
}

/** Prints the command that repeats a failure, and what happened in the smallest scenario that still fails. */
async function report(scenario: Scenario, problems: string[]): Promise<void> {
  const summary = `\nseed ${scenario.seed}: ${problems.join('\n  ')}`
  if (values.first) return console.log(summary)
  const smallest = await shrink(scenario, async (smaller) => (await run(smaller)).problems.length > 0)
  const folder = join(root, 'node_modules', '.cache', 'simulation')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `seed-${scenario.seed}.json`)
  writeFileSync(file, `${JSON.stringify(smallest, null, 2)}\n`)
  const { timeline } = await run(smallest)
  const lines = timeline.filter((line) => !/\/changes.* → 200$/.test(line))
  console.log([summary, ...lines, `repeat it: npm run simulate -- --case ${file}`].join('\n'))
}
