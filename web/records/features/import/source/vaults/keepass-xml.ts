import { msg } from '../../../../../language/translate.ts'
import { walkXml } from '../archive/walk-xml.ts'
import { SourceError } from '../sheet.ts'
import { type ProgramSheet, toSheet, type VaultItem } from './vault-items.ts'

/** Reads a database that KeePass 2 or KeePassXC exported as XML; null if it is not one. Leaves out the history of entries. */
export function parseKeePassXml(xml: string): ProgramSheet | null {
  if (!/^\s*(<\?xml[^>]*>\s*)?<KeePassFile[\s>]/.test(xml)) return null
  const items: VaultItem[] = []
  /** Whether each open group is the recycle bin, or in it. */
  const areRecycled: boolean[] = []
  let recycleBinId = ''
  /** Entries are in one another in their history. */
  let depth = 0
  let values: Record<string, string> = {}
  let key = ''

  function close(name: string, text: string) {
    if (name === 'RecycleBinUUID') recycleBinId = text
    else if (name === 'UUID' && depth === 0 && text !== '' && text === recycleBinId)
      areRecycled[areRecycled.length - 1] = true
    else if (name === 'Key') key = text
    else if (name === 'Value' && depth === 1) values[key] = text
    else if (name === 'Group') areRecycled.pop()
    else if (name === 'Entry' && --depth === 0) {
      const { Title: name, UserName: username, Password: password } = values
      items.push({
        type: 'login',
        name,
        username,
        password,
        skipReason: areRecycled.at(-1) && msg('In the recycle bin.'),
      })
      values = {}
    }
  }

  try {
    walkXml(xml, { Group: () => areRecycled.push(areRecycled.at(-1) ?? false), Entry: () => depth++ }, close)
  } catch (cause) {
    throw new SourceError(msg('This XML file is damaged or incomplete. Export it again.'), { cause })
  }
  return toSheet('KeePass', items)
}
