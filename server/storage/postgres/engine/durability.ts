import { type DurabilityOptions, durabilityReasons, durabilitySettings } from '../../durability.ts'
import { StorageOpenError } from '../../storage.ts'
import type { DatabaseClient } from '../connect.ts'

/**
 * Throws `StorageOpenError` if a power cut or failover can lose confirmed writes and the operator has not allowed that.
 * Returns warnings about what is allowed.
 */
export async function checkDurability(
  client: DatabaseClient,
  { allowedOff = [], hasSynchronousStandby = false }: DurabilityOptions,
): Promise<string[]> {
  const { rows } = await client.query('SELECT name, setting FROM pg_settings WHERE name = ANY ($1)', [
    [...durabilitySettings, 'synchronous_standby_names'],
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
  if (hasSynchronousStandby && !settings.get('synchronous_standby_names')) {
    throw new StorageOpenError(
      'has no synchronous standby, which DATABASE_STANDBY=synchronous promises. Set synchronous_standby_names',
    )
  }
  return off.map((name) => `The database has ${name}=off: ${durabilityReasons[name]}.`)
}
