import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { createFolder } from '../support/cleanup.ts'
import { startServerProcess } from '../support/faults/server-process.ts'
import { createWriters } from '../support/faults/writers.ts'
import { isNightly } from '../support/nightly.ts'
import { timeouts } from '../support/timeouts.ts'

const rounds = isNightly ? 200 : 2
const clientCount = 32
const minWritesPerRound = isNightly ? 500 : 100

it(`kill -9 while ${clientCount} clients write: no acknowledged write is lost, repeated or partial (${rounds} rounds)`, {
  timeout: timeouts.longTestMs,
}, async () => {
  const folder = createFolder()
  let server = await startServerProcess({ DATA_DIR: folder })
  const { cookie } = await server.signIn()
  const writers = createWriters(clientCount, cookie)

  for (let round = 1; round <= rounds; round++) {
    const written = writers.writeUntilDown(server.url)
    await writers.waitForMore(minWritesPerRound)
    await server.kill('SIGKILL')
    await written

    server = await startServerProcess({ DATA_DIR: folder })
    expect(writers.findDifferences(await server.connect(cookie).book())).toEqual([])
    await writers.retryUnanswered(server.url)
    expect(writers.findDifferences(await server.connect(cookie).book())).toEqual([])
  }

  expect(await server.kill('SIGTERM')).toBe(0)
  const database = new DatabaseSync(join(folder, 'staffbook.sqlite'))
  expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  database.close()
  expect(writers.acknowledged()).toBeGreaterThanOrEqual(rounds * minWritesPerRound)
  if (isNightly)
    console.log(`kill -9: ${rounds} rounds, ${writers.acknowledged()} acknowledged writes, none lost`)
})
