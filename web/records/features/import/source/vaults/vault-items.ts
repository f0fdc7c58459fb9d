import { maxBatchSize } from '../../../../../../contract/batches.ts'
import { type Message, msg } from '../../../../../language/translate.ts'
import { findTypeReason } from '../formats.ts'
import type { Sheet, SheetRow } from '../sheet.ts'

/** An item of a password manager. Values that are not text count as blank. */
export interface VaultItem {
  /** The row in the file; without it, the position of the item. */
  number?: number
  /** Is as in the CSV files of password managers, such as `login` or `note`. */
  type: string
  name: unknown
  username: unknown
  password: unknown
  skipReason?: Message | false | undefined
}

/** A sheet of a program that is known. */
export interface ProgramSheet extends Sheet {
  program: string
  /** Lines below some secrets may be part of them. */
  hasLinesOfSecrets?: boolean
}

/** Returns the items as a sheet with a header. */
export function toSheet(program: string, items: readonly VaultItem[]): ProgramSheet {
  const rows = items.slice(0, maxBatchSize).map((item, index): SheetRow => {
    const values = [item.name, item.username, item.password]
    const cells = values.map((value) => (typeof value === 'string' ? value : ''))
    const isLogin = item.type !== '' && cells.slice(1).some((cell) => cell.trim() !== '')
    const skipReason = item.skipReason || findTypeReason(item.type) || (isLogin ? '' : msg('Not a login.'))
    return { number: item.number ?? index + 1, cells, ...(skipReason ? { skipReason } : {}) }
  })
  const header = { number: 0, cells: ['name', 'username', 'password'] }
  const isTruncated = items.length > maxBatchSize
  return { program, rows: rows.length > 0 ? [header, ...rows] : [], isTruncated, hasUnclosedQuote: false }
}
