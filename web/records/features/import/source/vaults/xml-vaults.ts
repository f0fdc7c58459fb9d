import { msg } from '../../../../../language/translate.ts'
import { type Attributes, decodeAttribute, walkXml } from '../archive/walk-xml.ts'
import { SourceError } from '../sheet.ts'
import { type ProgramSheet, toSheet, type VaultItem } from './vault-items.ts'

const safeInCloudStart = /^\s*(<\?xml[^>]*>\s*)?<database[^>]*>\s*(<label\s|<card\s[^>]*\bsymbol=)/
const passwordSafeStart = /^\s*(<\?xml[^>]*>\s*)*<passwordsafe[\s>]/

/** Reads the XML file of SafeInCloud or of Password Safe; null for other text. */
export function parseXmlVault(xml: string): ProgramSheet | null {
  try {
    if (safeInCloudStart.test(xml)) return toSheet('SafeInCloud', readSafeInCloud(xml))
    return passwordSafeStart.test(xml) ? toSheet('Password Safe', readPasswordSafe(xml)) : null
  } catch (cause) {
    throw new SourceError(msg('This XML file is damaged or incomplete. Export it again.'), { cause })
  }
}

/** The fields of a card have a type. */
function readSafeInCloud(xml: string): VaultItem[] {
  const items: VaultItem[] = []
  let card: Attributes = {}
  let type = ''
  let values: Record<string, string> = {}
  const onOpen = {
    card(attributes: Attributes) {
      card = attributes
      values = {}
    },
    field(attributes: Attributes) {
      type = attributes.type ?? ''
    },
  }
  walkXml(xml, onOpen, (name, text) => {
    if (name === 'field' && text !== '') values[type] ??= text
    if (name === 'card')
      items.push({
        type: card.type === 'note' ? 'note' : 'login',
        name: decodeAttribute(card.title ?? ''),
        username: values.email ?? values.login,
        password: values.password,
        skipReason:
          (card.deleted === 'true' && msg('In the recycle bin.')) ||
          (card.template === 'true' && msg('An example of the template.')),
      })
  })
  return items
}

/** Previous passwords have elements of other names. */
function readPasswordSafe(xml: string): VaultItem[] {
  const items: VaultItem[] = []
  let values: Record<string, string> = {}
  walkXml(xml, {}, (name, text) => {
    if (name !== 'entry') {
      values[name] = text
      return
    }
    const { title, email, username, password } = values
    items.push({ type: 'login', name: title, username: email || username, password })
    values = {}
  })
  return items
}
