import { parentPort, workerData } from 'node:worker_threads'
import { createPrograms } from './programs.ts'
import type { Scenario } from './scenario.ts'
import { type Outcome, simulate } from './simulate.ts'

/** What the thread answers to a scenario. */
export type Answer = { outcome: Outcome; error?: never } | { outcome?: never; error: Error }

const programs = createPrograms(workerData)

parentPort?.on('message', async (scenario: Scenario) => {
  const answer: Answer = await simulate(scenario, programs).then(
    (outcome) => ({ outcome }),
    (error: Error) => ({ error }),
  )
  parentPort?.postMessage(answer)
})
