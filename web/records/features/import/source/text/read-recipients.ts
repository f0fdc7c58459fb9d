import { isEmail, parseEmail } from '../../../../../../contract/employees.ts'
import { decodeMimeWords } from '../encodings/mime.ts'
import type { Sheet } from '../sheet.ts'
import { toList } from './to-list.ts'

/** Reads recipients as mail programs copy them: `Lovelace, Ada <ada@a.org>; grace@a.org`. Null if the text has anything else. */
export function readRecipients(text: string): Sheet | null {
  if (/\t/.test(text.trim()) || !text.includes('@')) return null
  const items: { cells: string[] }[] = []
  /** Takes the emails without a name from what stands before the name of another recipient; undefined if it is no name. */
  function takeName(between: string): string | undefined {
    const parts = between.split(/[;\r\n]/)
    const last = parts.pop() ?? ''
    // A comma separates recipients too, but is within a name where no email is before it.
    const pieces = last.split(',')
    const start = pieces.findIndex((piece) => piece.trim() !== '' && !isEmail(piece.trim()))
    const more = start === -1 ? [] : pieces.slice(start)
    for (const piece of pieces.slice(0, pieces.length - more.length)) parts.push(piece)
    const emails = parts
      .flatMap((part) => part.split(','))
      .map((part) => part.trim())
      .filter(Boolean)
    if (!emails.every(isEmail)) return undefined
    for (const email of emails) items.push({ cells: ['', email] })
    return more.join(',').trim()
  }

  let end = 0
  for (const match of text.matchAll(/<\s*(?:mailto:)?([^<>\s@]+@[^<>\s@]+)\s*>/gi)) {
    const quoted = /^([^"]*)"((?:[^"\\]|\\.)*)"\s*$/s.exec(text.slice(end, match.index))
    const name = takeName(quoted ? (quoted[1] ?? '') : text.slice(end, match.index))
    const { email } = parseEmail(match[1] ?? '')
    if (name === undefined || (quoted && name !== '') || !isEmail(email)) return null
    // Outlook encloses addresses that it shows as names.
    const shown = name.replace(/^'(.*)'$/, '$1')
    const cell = decodeMimeWords(quoted ? (quoted[2] ?? '').replace(/\\(.)/g, '$1') : shown)
    if (cell.length > 200 || cell.includes('@')) return null
    items.push({ cells: [cell, email] })
    end = match.index + match[0].length
  }
  const isOneLine = !/[\r\n]/.test(text.trim())
  if (end === 0 && !isOneLine) return null
  if (takeName(`${text.slice(end)};`) !== '') return null
  return end > 0 || items.length > 1 ? toList(['Name', 'Email'], items) : null
}
