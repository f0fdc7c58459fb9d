import type { ClientBase, QueryResult } from 'pg'
import type { Pool } from './connect.ts'
import { ignoreError, throwReadError, throwWriteError } from './errors.ts'

/** Commits after `work`, or rolls back and rethrows its error. */
export async function inTransaction<T>(client: ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN')
  try {
    const result = await work()
    await client.query('COMMIT')
    return result
  } catch (error) {
    // It fails if the connection is lost; the server then rolls back.
    await client.query('ROLLBACK').catch(ignoreError)
    throw error
  }
}

export type Query = (sql: string, values: unknown[]) => Promise<QueryResult>

/**
 * Runs the statements of `work` on one connection and commits, also if there is nothing to commit. Each statement sees what was
 * committed before it, for example by a sign-in for which it has waited. If `work` throws, or takes too long, nothing is written.
 */
export async function inPooledTransaction<T>(pool: Pool, work: (query: Query) => Promise<T>): Promise<T> {
  let state: 'working' | 'committing' | 'given up' = 'working'
  let ownError: unknown
  async function run(client: ClientBase) {
    await client.query('BEGIN ISOLATION LEVEL READ COMMITTED').catch(throwReadError)
    const result = await work((sql, values) => client.query(sql, values).catch(throwReadError))
    if (state === 'given up') throw new Error('The caller has been told that nothing was written.')
    state = 'committing'
    await client.query('COMMIT').catch(throwWriteError)
    return result
  }
  return pool
    .withClient((client) =>
      run(client).catch((error) => {
        ownError = error
        throw error
      }),
    )
    .catch((error) => {
      if (error === ownError) throw error
      // No connection, or no response in time.
      if (state === 'committing') return throwWriteError(error)
      state = 'given up'
      return throwReadError(error)
    })
}
