import { setTimeout as sleep } from 'node:timers/promises'
import type { TestClient } from '../http-client.ts'
import { named } from '../people.ts'

/**
 * Returns the seconds from `fail` until each client has had a write acknowledged that it began after `fail` had resolved.
 * The clients repeat it, while `recover` runs, and remove the record again.
 */
export async function measureOutage(
  clients: TestClient[],
  fail: () => Promise<void>,
  recover = async () => {},
): Promise<number> {
  const startedAt = performance.now()
  await fail()
  const writing = clients.map(async (client, i) => {
    for (;;) {
      const fields = named(`outage ${i}`)
      const { status, body } = await client.add(fields, `outage-${i}-${startedAt}`)
      if (status === 201) return { client, id: body.id, at: performance.now() }
      if (status !== 503) throw new Error(`The write was refused with ${status}.`)
      await sleep(20)
    }
  })
  const [written] = await Promise.all([Promise.all(writing), recover()])
  for (const { client, id } of written) await client.remove(id)
  return (Math.max(...written.map(({ at }) => at)) - startedAt) / 1000
}
