import type { ClientBase } from 'pg'

/** Commits after `work`, or rolls back and rethrows its error. */
export async function inTransaction<T>(client: ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN')
  try {
    const result = await work()
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch(() => 'lost')
    throw error
  }
}
