import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as after } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { isLong } from '../support/faults/length.ts'
import { listOf } from '../support/faults/list-of.ts'
import { startProcess } from '../support/faults/server-process.ts'
import { createWriters } from '../support/faults/writers.ts'
import { signedIn } from '../support/http-client.ts'

const rounds = isLong ? 200 : 4
const clients = 32
/** In the long form this makes 100,000 and more. */
const wantedPerRound = isLong ? 500 : 100

it(`durability: kill -9 while ${clients} clients write loses, doubles and halves nothing (${rounds} rounds)`, {
  timeout: 30 * 60_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'staffbook-kill-'))
  let server = await startProcess({ DATA_DIR: folder })
  const { cookie } = await signedIn(server.url)
  const writers = createWriters(clients, cookie)

  for (let round = 1; round <= rounds; round++) {
    const wanted = writers.acknowledged() + wantedPerRound
    const written = writers.writeUntilGone(server.url)
    while (writers.acknowledged() < wanted) await after(5)
    await server.kill('SIGKILL')
    await written

    server = await startProcess({ DATA_DIR: folder })
    expect(writers.differences(await listOf(server.url, cookie))).toEqual([])
    await writers.finish(server.url)
    expect(writers.differences(await listOf(server.url, cookie))).toEqual([])
  }

  expect(await server.kill('SIGTERM')).toBe(0)
  const database = new DatabaseSync(join(folder, 'staffbook.sqlite'))
  expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  database.close()
  rmSync(folder, { recursive: true })
  expect(writers.acknowledged()).toBeGreaterThanOrEqual(rounds * wantedPerRound)
  if (isLong)
    console.log(`kill -9: ${rounds} rounds, ${writers.acknowledged()} acknowledged writes, none lost`)
})
