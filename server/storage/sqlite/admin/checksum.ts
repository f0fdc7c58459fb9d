import { createHmac, timingSafeEqual } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { deriveKey, type RecordsKey } from '../../encryption/field-encryption.ts'
import { readSchemaVersion } from '../migrate.ts'

const checksumColumn = 'checksum'

export function writeChecksum(backup: DatabaseSync, key: RecordsKey): void {
  backup.prepare(`UPDATE register SET ${checksumColumn} = ?`).run(computeChecksum(backup, key))
}

/** `missing`: the backup was made without the key or by an older version, or somebody has removed the checksum. */
export function verifyChecksum(backup: DatabaseSync, key: RecordsKey): 'match' | 'missing' | 'wrong' {
  const stored = backup.prepare('SELECT * FROM register').get()?.[checksumColumn]
  if (!(stored instanceof Uint8Array)) return 'missing'
  const computed = computeChecksum(backup, key)
  return stored.length === computed.length && timingSafeEqual(stored, computed) ? 'match' : 'wrong'
}

/** Covers all rows of all tables. The schema must have been checked. */
function computeChecksum(database: DatabaseSync, key: RecordsKey): Buffer {
  const hmac = createHmac('sha256', deriveKey(key, 'backup'))
  hmac.update(String(readSchemaVersion(database)))
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all()
  for (const { name } of tables) {
    hmac.update(`\n\n${name}`)
    // The first two columns tell the rows apart.
    for (const row of database.prepare(`SELECT * FROM "${name}" ORDER BY 1, 2`).iterate()) {
      hmac.update(`\n${JSON.stringify(Object.entries(row).map(toComparable))}`)
    }
  }
  return hmac.digest()
}

function toComparable([column, value]: [string, unknown]): unknown {
  if (column === checksumColumn) return
  return value instanceof Uint8Array ? [Buffer.from(value).toString('base64')] : value
}
