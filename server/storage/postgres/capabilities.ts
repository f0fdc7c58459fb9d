import { DatabaseError } from 'pg'
import { type DurabilityOptions, durabilityReasons, durabilitySettings } from '../database-settings.ts'
import { StorageOpenError } from '../types.ts'
import { type DatabaseClient, withinMs } from './connect.ts'
import { toStorageError } from './errors.ts'

/** Advisory lock: shared by every server process, exclusive for `staffbook key change`. */
const serverLockId = 5_147_002

/**
 * Subscribes to the notifications of other processes, and marks the database as in use by this one, so that its key is not
 * changed meanwhile. Throws `StorageOpenError` if the database cannot do either.
 */
export async function prepareServerSession(client: DatabaseClient): Promise<void> {
  const notified = new Promise((resolve) => client.once('notification', resolve))
  try {
    await client.query('LISTEN staffbook')
    await client.query("SELECT pg_notify('staffbook', '')")
    await client.query('SELECT pg_advisory_lock_shared($1)', [serverLockId])
  } catch (error) {
    if (!(error instanceof DatabaseError) || toStorageError(error)) throw error
    throw unsupportedError(error.message, error)
  }
  await withinMs(1000, notified).catch((error) => {
    throw unsupportedError('it accepts LISTEN but sends no notifications', error)
  })
}

function unsupportedError(problem: string, cause: unknown): StorageOpenError {
  const message = `lacks notifications or advisory locks, which Staffbook needs (${problem}). Use PostgreSQL 13 or newer, directly or through a pooler in session mode`
  return new StorageOpenError(message, { cause })
}

/** Throws `StorageOpenError` if a server uses the database. */
export async function requireNoServer(client: DatabaseClient): Promise<void> {
  const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS held', [serverLockId])
  if (!rows[0].held) throw new StorageOpenError('is in use by a running Staffbook. Stop all servers first')
}

/**
 * Throws `StorageOpenError` if a power cut or failover can lose confirmed writes and the operator has not allowed that.
 * Returns warnings about what is allowed.
 */
export async function checkDurability(
  client: DatabaseClient,
  { allowedOff = [], hasSynchronousStandby = false }: DurabilityOptions,
): Promise<string[]> {
  const { rows } = await client.query('SELECT name, setting FROM pg_settings WHERE name = ANY ($1)', [
    [...durabilitySettings, 'synchronous_commit', 'synchronous_standby_names'],
  ])
  const settings = new Map<string, string>(rows.map(({ name, setting }) => [name, setting]))
  const off = durabilitySettings.filter((name) => settings.get(name) === 'off')
  const refused = off.filter((name) => !allowedOff.includes(name))
  if (refused.length > 0) {
    const problems = refused.map((name) => `${name}=off: ${durabilityReasons[name]}`).join('; ')
    throw new StorageOpenError(
      `has ${problems}. Turn it on, or allow it with ALLOW_UNSAFE_DATABASE=${refused.join(',')}`,
    )
  }
  const standbyProblem = settings.get('synchronous_standby_names')
    ? settings.get('synchronous_commit') === 'local' &&
      'synchronous_commit=local, which does not wait for the'
    : 'no'
  if (hasSynchronousStandby && standbyProblem) {
    throw new StorageOpenError(
      `has ${standbyProblem} synchronous standby, which DATABASE_STANDBY=synchronous promises. Set synchronous_standby_names, and synchronous_commit to on`,
    )
  }
  return off.map((name) => `The database has ${name}=off: ${durabilityReasons[name]}.`)
}
