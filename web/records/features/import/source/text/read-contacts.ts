import { type Message, msg } from '../../../../../language/translate.ts'
import { joinName } from '../../../../model/join-name.ts'
import { decodeBase64, decodeCharset, decodeMimeWords, decodeQuotedPrintable } from '../encodings/mime.ts'
import type { Sheet } from '../sheet.ts'
import { toList } from './to-list.ts'

const notPerson = msg('Not a person.')

interface Property {
  name: string
  parameters: string
  value: string
}

/** Reads contacts: vCard 2.1, 3 or 4. Null if the text has none. */
export function readVCards(text: string): Sheet | null {
  if (!/^\s*BEGIN:VCARD\s*[\r\n]/i.test(text)) return null
  const items: { cells: string[]; skipReason: Message | undefined }[] = []
  let card: Property[] = []
  let depth = 0
  for (const property of readProperties(text)) {
    const marker = `${property.name}:${property.value.trim()}`.toUpperCase()
    if (marker === 'BEGIN:VCARD') {
      depth++
      if (depth === 1) card = []
    } else if (marker === 'END:VCARD') {
      depth = Math.max(0, depth - 1)
      if (depth === 0) items.push(readCard(card))
    } else if (depth === 1) card.push(property)
  }
  return toList(['Name', 'Email'], items)
}

function readCard(card: readonly Property[]) {
  const find = (name: string) => card.find((property) => property.name === name)?.value ?? ''
  const parts = find('N')
    .split(/(?<!\\);/)
    .map(unescapeValue)
  // Some programs escape the separators of the parts too.
  const [family = '', given = ''] = parts.slice(1).some(Boolean) ? parts : (parts[0]?.split(';') ?? [])
  const name = unescapeValue(find('FN')).trim() || joinName(given.trim(), family.trim())
  const emails = card
    .filter((property) => property.name === 'EMAIL' && property.value.trim() !== '')
    .sort((a, b) => rankPreference(a) - rankPreference(b))
  const cells = [
    decodeMimeWords(name) ||
      unescapeValue(find('NICKNAME')) ||
      unescapeValue(find('ORG').split(/(?<!\\);/)[0] ?? ''),
    emails.map(({ value }) => unescapeValue(value).trim()).join('; '),
  ]
  return { cells, skipReason: /^group$/i.test(find('KIND')) ? notPerson : undefined }
}

/** The preferred one comes first: version 4 numbers them, earlier ones mark one. */
function rankPreference({ parameters }: Property): number {
  const [, number] = /;PREF=(\d+)/i.exec(parameters) ?? []
  if (number) return Number(number)
  return /[;=,]PREF\b/i.test(parameters) ? 0 : 101
}

const unescapeValue = (text: string) =>
  text.replace(/\\([nN,;:\\])/g, (_, character: string) => (/n/i.test(character) ? '\n' : character))

/** Lines that begin with a space continue the one before; in quoted-printable those behind an equals sign do. */
function* readProperties(text: string): Generator<Property> {
  const lines = text.split(/\r\n?|\n/)
  let isOld = false
  for (let i = 0; i < lines.length; i++) {
    const parts = [lines[i] ?? '']
    if (/^VERSION:/i.test(parts[0] ?? '')) isOld = /^VERSION:2/i.test(parts[0] ?? '')
    const [head = '', ...rest] = parts[0]?.split(':', 2) ?? []
    const isQuoted = rest.length > 0 && /QUOTED-PRINTABLE/i.test(head)
    if (isQuoted)
      while (parts.at(-1)?.endsWith('=') && i + 1 < lines.length) {
        parts.push(parts.pop()?.slice(0, -1) ?? '', lines[++i] ?? '')
      }
    else while (/^[ \t]/.test(lines[i + 1] ?? '')) parts.push((lines[++i] ?? '').slice(isOld ? 0 : 1))
    const match = /^(?:[\w-]+\.)?([\w-]+)((?:;(?:[^:"]|"[^"]*")*)?):(.*)$/s.exec(parts.join(''))
    if (!match) continue
    const [, name = '', parameters = '', value = ''] = match
    yield {
      name: name.toUpperCase(),
      parameters,
      value: isQuoted ? decodeCharset(decodeQuotedPrintable(value), findCharset(parameters)) : value,
    }
  }
}

const findCharset = (parameters: string) => /;CHARSET="?([\w-]+)/i.exec(parameters)?.[1]

/** Reads the entries of a directory: LDIF (RFC 2849). Null if the text is not LDIF. */
export function readLdif(text: string): Sheet | null {
  const lines = text.slice(0, 10_000).split(/[\r\n]+/)
  const first = lines.find((line) => line.trim() !== '' && !/^(#|version:)/i.test(line))
  if (!/^dn::?[ \t]/i.test(first ?? '')) return null
  const unfolded = text.replace(/\r\n?/g, '\n').replace(/\n /g, '')
  const entries = unfolded.split(/\n\s*\n/).filter((entry) => /^dn:/im.test(entry))
  return toList(['Name', 'Email', 'Password'], entries.map(readEntry))
}

function readEntry(entry: string) {
  const values = new Map<string, string[]>()
  for (const line of entry.split('\n')) {
    const [, name = '', kind = '', value = ''] = /^([\w.-]+)(?:;[^:]*)?:([:<]?)[ \t]*(.*)$/.exec(line) ?? []
    if (name === '' || kind === '<') continue
    const key = name.toLowerCase()
    const known = values.get(key) ?? []
    known.push(kind === ':' ? decodeText(value) : value)
    values.set(key, known)
  }
  const find = (name: string) => values.get(name)?.[0] ?? ''
  const whole = joinName(find('givenname'), find('sn'))
  const emails = values.get('mail') ?? []
  const isPerson =
    emails.length > 0 || values.get('objectclass')?.some((name) => /person|account/i.test(name))
  const isDeleted = find('changetype') === 'delete'
  return {
    cells: [
      find('displayname') || find('cn') || whole,
      emails.join('; '),
      // One of several is asked about.
      (values.get('userpassword') ?? []).map(readPassword).filter(Boolean).join('\n'),
    ],
    skipReason: isPerson && !isDeleted ? undefined : notPerson,
  }
}

/** A password that is hashed is none. */
function readPassword(text: string): string {
  const [, scheme, rest = ''] = /^\{([\w-]+)\}(.*)$/s.exec(text) ?? []
  if (!scheme) return text
  return /^clear(text)?$/i.test(scheme) ? rest : ''
}

/** The text in Base64; other text is unchanged. */
function decodeText(text: string): string {
  const bytes = decodeBase64(text)
  return bytes ? decodeCharset(bytes) : text
}
