import { maxBatchSize } from '../../../../../../contract/batches.ts'
import * as messages from '../../messages.ts'
import { findTypeReason } from '../formats.ts'
import type { Sheet, SheetRow } from '../parse-sheet.ts'

/** An item of a password manager. Values that are not text count as blank. */
export interface VaultItem {
  /** As in the CSV files of password managers, such as `login` or `note`. */
  type: string
  name: unknown
  username: unknown
  password: unknown
  /** Why it is left out, besides its type. */
  skipReason?: string | false | undefined
}

/** A sheet of a program that is known. */
export interface ProgramSheet extends Sheet {
  program: string
}

export const vaultHeader: SheetRow = { number: 0, cells: ['name', 'username', 'password'] }

/** Returns the row of an item below `vaultHeader`. */
export function toRow(number: number, item: VaultItem): SheetRow {
  const cells = [item.name, item.username, item.password].map((value) =>
    typeof value === 'string' ? value : '',
  )
  const isLogin = item.type !== '' && cells.slice(1).some((cell) => cell.trim() !== '')
  const skipReason = item.skipReason || findTypeReason(item.type) || (isLogin ? '' : messages.notLogin)
  return skipReason ? { number, cells, skipReason } : { number, cells }
}

/** Returns the items as a sheet; row numbers are their positions. */
export function toSheet(program: string, items: readonly VaultItem[]): ProgramSheet {
  const rows = items.slice(0, maxBatchSize).map((item, index) => toRow(index + 1, item))
  return {
    program,
    rows: rows.length > 0 ? [vaultHeader, ...rows] : [],
    isTruncated: items.length > maxBatchSize,
    hasUnclosedQuote: false,
  }
}
