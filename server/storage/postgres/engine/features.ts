import { DatabaseError } from 'pg'
import type { DatabaseClient } from '../connect.ts'
import { toStorageError } from '../errors.ts'
import { withinMs } from './within-ms.ts'

/** Rows of a statement, or undefined if the database does not know it or does not permit it. */
export async function queryIfSupported(client: DatabaseClient, sql: string, values: unknown[] = []) {
  try {
    return (await client.query(sql, values)).rows
  } catch (error) {
    if (error instanceof DatabaseError && toStorageError(error) === undefined) return
    throw error
  }
}

/** Works within a transaction, which remains usable. */
export async function queryIfSupportedInTransaction(
  client: DatabaseClient,
  sql: string,
  values: unknown[] = [],
) {
  await client.query('SAVEPOINT attempt')
  const rows = await queryIfSupported(client, sql, values)
  if (!rows) await client.query('ROLLBACK TO SAVEPOINT attempt')
  await client.query('RELEASE SAVEPOINT attempt')
  return rows
}

/** Returns whether the connection receives notifications, and sets `canNotify`. Some engines accept LISTEN and send none. */
export async function listen(client: DatabaseClient): Promise<boolean> {
  const received = new Promise((resolve) => client.once('notification', resolve))
  const isListening = client.isDirect && (await queryIfSupported(client, 'LISTEN staffbook')) !== undefined
  client.canNotify = (await queryIfSupported(client, "SELECT pg_notify('staffbook', '')")) !== undefined
  if (!isListening || !client.canNotify) return false
  return withinMs(1000, received).then(
    () => true,
    () => false,
  )
}
