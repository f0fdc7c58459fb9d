import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../../scripts/terminal.ts'
import { isNightly } from '../support/nightly.ts'
import { seed as seedOfDay } from '../support/sample.ts'
import { Coverage } from './team/coverage.ts'
import { mutations } from './team/mutations.ts'
import { createScenario, type Scenario } from './team/scenario.ts'
import { startThreads, type Threads } from './team/threads.ts'

const seedCount = isNightly ? 5_000 : 200
/** Each night tries others. */
const firstSeed = isNightly ? (seedOfDay % 1_000_000) * 1_000 : 1

let threads: Threads
beforeAll(async () => {
  threads = await startThreads()
})
afterAll(() => threads.close())

const seeds = Array.from({ length: seedCount }, (_, i) => firstSeed + i)
const repeated = new Set(seeds.filter((_, i) => i % (isNightly ? 10 : 40) === 0))
const firstTimelines = new Map<number, string[]>()

test('a team whose requests, pages, machines and server fail loses no change, repeats none, and agrees afterwards', {
  timeout: seedCount * 1_500,
}, async () => {
  const coverage = new Coverage()
  await Promise.all(
    seeds.map(async (seed) => {
      const outcome = await threads.run(createScenario(seed))
      if (repeated.has(seed)) firstTimelines.set(seed, outcome.timeline)
      expect(outcome.problems, `npm run simulate -- --from ${seed} --seeds 1`).toEqual([])
      coverage.add(outcome)
    }),
  )
  // A thousand seeds do each thing often enough.
  if (isNightly) expect(coverage.findMissing()).toEqual([])
})

test('equal seeds have equal results', { timeout: 60_000 + seedCount * 100 }, async () => {
  await Promise.all(
    [...repeated].map(async (seed) => {
      const run = async () => (await threads.run(createScenario(seed))).timeline
      expect(await run()).toEqual(firstTimelines.get(seed) ?? (await run()))
    }),
  )
})

test('each mutation finds what it replaces', () => {
  const all = Object.values(mutations).flat()
  const isFound = ({ file, from }: (typeof all)[number]) =>
    readFileSync(join(root, file), 'utf8').includes(from)
  expect(all.filter((replacement) => !isFound(replacement))).toEqual([])
})

const folder = new URL('./cases/', import.meta.url)

test.each(readdirSync(folder).sort())('what has failed once succeeds: %s', async (file) => {
  const scenario: Scenario = JSON.parse(readFileSync(new URL(file, folder), 'utf8'))
  expect((await threads.run(scenario)).problems).toEqual([])
})
