import type { Message } from '../../../../../language/translate.ts'
import { letter, message, noList } from '../archive/recognize-content.ts'
import { isHeader } from '../detect-columns.ts'
import { unreadableList } from '../sheet.ts'

/** How texts of other kinds begin that have the emails or the columns of a list. */
const beginnings: readonly [kind: Message, pattern: RegExp][] = [
  // A dump of HTTP.
  [message, /^(HTTP\/\d|[A-Z]{3,7} \S{1,2000} HTTP\/\d)/],
  [message, /^-{5}BEGIN PGP (MESSAGE|SIGNED MESSAGE)/],
  // The accounts of other programs, whose lines have words between what could be cells.
  [unreadableList, /^(#[^\n]*\n|\s)*machine \S+\s+(login|user|account) /],
  [
    unreadableList,
    /^(#[^\n]*\n|\s)*\S+\s+((Cleartext|User|Crypt|NT|SHA\d*|SSHA\d*)-Password|Auth-Type)\s*:?=/,
  ],
  [letter, /^(%[^\n]*\n|\s)*\\(documentclass|documentstyle|begin\{|input\{|usepackage)/],
  // Differences, a history, a calendar, subtitles, accounts of a computer.
  [noList, /^(diff --?\S|Index: \S[^\n]*\n={9}|--- \S[^\n]*\n\+\+\+ \S|\d+(,\d+)?[acd]\d+(,\d+)?\n[<>] )/],
  [noList, /^commit [\da-f]{7,64}\b[^\n]*\n(Merge|Author|AuthorDate|tree): /],
  [noList, /^BEGIN:(VCALENDAR|VEVENT|VTODO)\b/i],
  [noList, /^WEBVTT\b|^(\d+\n)?\d\d:\d\d:\d\d[,.]\d+ --> |^\[Script Info\]|^\{\d+\}\{\d+\}/],
  [unreadableList, /^[^\s:]+:[^\s:]*:\d+:\d+:[^:\n]*:\//],
]

/** The fields of a message that programs write, those that lists do not have. */
const technicalField =
  /^(message-id|mime-version|received|return-path|delivered-to|dkim-signature|content-type|newsgroups|x-[\w-]+)$/
/** Who a message is from, and what it is about, in the languages of mail programs. */
const senderField = /^(from|von|de|da|van|från|fra|od|от|kimden|差出人|发件人|من)$/
const otherField =
  /^(subject|betreff|objet|asunto|assunto|oggetto|onderwerp|ämne|emne|předmět|temat|тема|konu|件名|主题|主旨|الموضوع|date|sent|to|cc)$/

/** What stands above them: how long a Mac's file is, where a message of an archive begins, that it was forwarded. */
const messagePreamble = /^(\d+\s*\n)?(>?From [^\n]*\n)?(---[^\n]*\n+|[^\n:]{1,80}:\n\n+)?/

/** Whether a text begins with the fields of a message, also in an archive of several. */
function isMessage(text: string): boolean {
  const lines = text.replace(messagePreamble, '').split('\n')
  const names: string[] = []
  for (const line of lines) {
    if (line.trim() === '') break
    if (/^[ \t]/.test(line) && names.length > 0) continue
    const [, name] = /^(\p{L}[\p{L}\p{M}\d-]{0,60}) ?[:：]/u.exec(line) ?? []
    if (name === undefined) return false
    names.push(name.toLowerCase())
  }
  // The records of a list may have a subject, or what somebody received.
  if (names.length < 2 || names.some(isHeader)) return false
  const has = (field: RegExp) => names.some((name) => field.test(name))
  return has(technicalField) || (has(senderField) && has(otherField))
}

/** How much of a text tells what it is, in UTF-16 code units: the fields of a message may be long. */
const maxStart = 100_000

/** Says what a text is that has emails but is no list; undefined if it may be a list. */
export function recognizeText(text: string): Message | undefined {
  const start = text
    .slice(0, maxStart)
    .replace(/\r\n?/g, '\n')
    .replace(/^[\s\ufeff]+/, '')
  return (
    beginnings.find(([, pattern]) => pattern.test(start))?.[0] ?? (isMessage(start) ? message : undefined)
  )
}
