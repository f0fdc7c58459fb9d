import type { ClientBase } from 'pg'

/** Commits the work, or undoes it and throws what it threw; then the connection is outside any transaction, or lost. */
export async function inTransaction<T>(client: ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN')
  try {
    const done = await work()
    await client.query('COMMIT')
    return done
  } catch (error) {
    await client.query('ROLLBACK').catch(() => 'lost')
    throw error
  }
}
