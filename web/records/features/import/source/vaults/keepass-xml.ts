import * as messages from '../../messages.ts'
import { walkXml } from '../archive/walk-xml.ts'
import { SourceError } from '../parse-sheet.ts'
import { type ProgramSheet, toSheet, type VaultItem } from './vault-items.ts'

/** Reads a database that KeePass 2 or KeePassXC exported as XML; null if it is not one. Leaves out the history of entries. */
export function parseKeePassXml(text: string): ProgramSheet | null {
  if (!/^\s*(<\?xml[^>]*>\s*)?<KeePassFile[\s>]/.test(text)) return null
  const items: VaultItem[] = []
  const groupIds: string[] = []
  let recycleBinId = ''
  /** Entries are in one another in their history. */
  let depth = 0
  let values: Record<string, string> = {}
  let key = ''
  let content = ''
  const begin = () => {
    content = ''
  }
  const closing = new Map<string, () => void>(
    Object.entries({
      RecycleBinUUID: () => {
        recycleBinId = content
      },
      UUID: () => {
        if (depth === 0) groupIds[groupIds.length - 1] = content
      },
      Key: () => {
        key = content
      },
      Value: () => {
        if (depth === 1) values[key] = content
      },
      Entry: () => {
        depth--
        if (depth > 0) return
        const skipReason = recycleBinId !== '' && groupIds.includes(recycleBinId) && messages.isRecycled
        const { Title: name, UserName: username, Password: password } = values
        items.push({ type: 'login', name, username, password, skipReason })
      },
      Group: () => groupIds.pop(),
    }),
  )
  const opening = {
    Group: () => groupIds.push(''),
    Entry: () => {
      if (depth === 0) values = {}
      depth++
    },
    ...Object.fromEntries(['RecycleBinUUID', 'UUID', 'Key', 'Value'].map((name) => [name, begin])),
  }
  try {
    walkXml(
      text,
      opening,
      (part) => (content += part),
      (name) => closing.get(name)?.(),
    )
  } catch (cause) {
    throw new SourceError(messages.brokenXml, { cause })
  }
  return toSheet('KeePass', items)
}
