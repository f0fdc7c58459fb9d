import { maxBatchSize } from '../../../../../contract/batches.ts'
import * as messages from '../messages.ts'
import { type Sheet, SourceError } from './parse-sheet.ts'

interface BitwardenItem {
  type: number
  name: string
  login: { username: string | null; password: string | null } | null
}

/** The values of the CSV's column `type` for the numbers in a JSON file. */
const itemTypes: Record<number, string> = { 1: 'login', 2: 'note', 3: 'card', 4: 'identity', 5: 'sshKey' }

/**
 * Reads a Bitwarden JSON export as a sheet with the header of its CSV; row numbers are the positions of the items.
 * Returns null if the text is not JSON. Throws a `SourceError` for an encrypted export and for other JSON.
 */
export function parseBitwardenJson(text: string): Sheet | null {
  const content = parseJson(text)
  if (typeof content !== 'object' || content === null) return null
  const { encrypted, items } = content as { encrypted?: unknown; items?: unknown }
  if (encrypted === true) {
    throw new SourceError(messages.isEncrypted)
  }
  if (!Array.isArray(items)) throw new SourceError(messages.isOtherJson)
  const rows = (items as (Partial<BitwardenItem> | null)[]).map((item, index) => ({
    number: index + 1,
    cells: [itemTypes[item?.type ?? 0] ?? '', item?.name, item?.login?.username, item?.login?.password].map(
      toText,
    ),
  }))
  const header = { number: 0, cells: ['type', 'name', 'login_username', 'login_password'] }
  return {
    rows: rows.length > 0 ? [header, ...rows.slice(0, maxBatchSize)] : [],
    isTruncated: rows.length > maxBatchSize,
    hasUnclosedQuote: false,
  }
}

function parseJson(text: string): unknown {
  if (!text.trimStart().startsWith('{')) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const toText = (value: unknown) => (typeof value === 'string' ? value : '')
