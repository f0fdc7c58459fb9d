import { setTimeout as after } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createFolder } from '../support/cleanup.ts'
import { startServerProcess } from '../support/faults/server-process.ts'
import { isNightly } from '../support/nightly.ts'
import { makeEmployees } from '../support/people.ts'
import { timeouts } from '../support/timeouts.ts'

const rounds = isNightly ? 30 : 4
const batchSize = isNightly ? 10_000 : 3_000

it(`kill -9 during a batch of ${batchSize} leaves all of it or nothing (${rounds} rounds)`, {
  timeout: timeouts.longTestMs,
}, async () => {
  const folder = createFolder()
  let server = await startServerProcess({ DATA_DIR: folder })
  const { cookie } = await server.signIn()
  const outcomes = { complete: 0, nothing: 0 }

  const send = async (round: number) => {
    const batch = { add: makeEmployees(batchSize, roundPassword(round)) }
    const response = await server
      .connect(cookie)
      .writeBatch(batch, `round-${round}`)
      .catch(() => null)
    return response?.status
  }

  const startedAt = Date.now()
  expect(await send(0)).toBe(200)
  // Adapted after each round, so that the kills hit the time around the commit.
  let delayMs = (Date.now() - startedAt) / 2

  for (let round = 1; round <= rounds; round++) {
    const sending = send(round)
    await after(delayMs)
    await server.kill('SIGKILL')
    const wasAcknowledged = (await sending) === 200

    server = await startServerProcess({ DATA_DIR: folder })
    const stored = await countRecords(round)
    expect(wasAcknowledged ? [batchSize] : [0, batchSize]).toContain(stored)
    const wasComplete = stored === batchSize
    outcomes[wasComplete ? 'complete' : 'nothing'] += 1
    delayMs *= wasComplete ? 0.25 : 1.5

    expect(await send(round)).toBe(200)
    expect(await countRecords(round)).toBe(batchSize)
  }

  async function countRecords(round: number): Promise<number> {
    const { documents } = await server.connect(cookie).book()
    return documents.filter(({ password }) => password === roundPassword(round)).length
  }

  expect(outcomes.nothing, 'no round was killed before its commit').toBeGreaterThan(0)
  if (isNightly)
    console.log(
      `kill -9 during a batch: ${outcomes.complete} complete, ${outcomes.nothing} without effect, none partial`,
    )
})

const roundPassword = (round: number) => `of round ${round}`
