import { fieldNames, fieldOf, fieldRules } from '../../../../contract/employees.ts'
import { type Message, msg } from '../../../language/translate.ts'
import { titleField } from '../../model/fields.ts'
import type { MatchedRow } from './matching/match-rows.ts'
import type { Steps } from './matching/target-index.ts'
import { isHeader } from './source/detect-columns.ts'
import type { ParsedSource } from './source/parse-source.ts'
import { codesDoubt } from './source/sheet.ts'
import { signsDoubt } from './source/text/to-list.ts'

const escapesDoubt = msg('Texts such as \\t may stand for other characters. Check the passwords.')
const zerosDoubt = msg(
  'Some numbers are shorter than the others. Check whether zeros are missing in the passwords.',
)
const noValueDoubt = msg('Texts such as NULL may stand for empty cells. Check the names and passwords.')

const secretNames = fieldNames.filter((name) => fieldRules[name].isSecret)

const entity = /&(amp|lt|gt|quot|apos|nbsp|#\d{2,6}|#x[\da-f]{2,5});/i

/** What databases and programs write for no value; in names only what no one is called. */
const noValue = /^\s*(null|[(<[]null[)>\]]|\\N|nil|none|nan|undefined|n\/a|tbd|tba|unknown|[-–—]|\?+)\s*$/i
/** What people write in place of a password, such as "(same)" or "see vault". */
const remark =
  /^\s*(x{3,}|[([{<][\p{L}\s]{3,}[)\]}>]|["〃″]|(same|see|ask|as|to be|not|no)(\s\p{L}+){1,3}|same|ditto|pending|todo|unset|unchanged)\s*$/iu
const noName = /^\s*(null|[(<[]null[)>\]]|\\N|undefined|n\/a)\s*$/i

/** What passwords look like that the program or the way of an export has changed. */
const secretDoubts: readonly [doubt: Message, pattern: RegExp][] = [
  [msg('Texts such as &amp; may stand for other characters. Check the passwords.'), entity],
  [
    msg('Texts such as %22 may stand for other characters. Check the passwords.'),
    /%(2[\dA-F]|3[A-F]|40|5[B-E]|60|7[B-D]|C[23]%[89AB][\dA-F])/i,
  ],
  [noValueDoubt, noValue],
  [noValueDoubt, remark],
  [signsDoubt, /\S\s\((?=[^()]*\p{L}{3})[^()]*\)\s*$/u],
  [codesDoubt, /_x[\da-f]{4}_/i],
  [
    msg('Some passwords look encrypted, so nobody could sign in with them. Check the passwords.'),
    /^\s*(\$(2[abxy]?|[156y7PH]|apr1|argon2\w*|pbkdf2[\w-]*|scrypt)\$\S{8,}|\{[\w-]{3,20}\}\S{16,}|(pbkdf2|bcrypt|argon2|scrypt|md5|sha1)\w*\$\S{8,}|(?:[\da-f]{32}|[\da-f]{40}|[\da-f]{64}|[\da-f]{128}))\s*$/i,
  ],
  [
    msg('Texts such as 1.2E+15 or 4-Mar are what a spreadsheet makes of others. Check the passwords.'),
    /^\s*(-?\d([.,]\d+)?E\+\d{2,3}|(?=.*\d)(\d{1,2}-)?(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(-\d{2})?)\s*$/,
  ],
  [
    msg('Some passwords have characters that can’t be seen or typed. Check the passwords.'),
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what nobody types
    /\S[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\xa0\xad\u061c\u200b\u200c\u200e\u200f\u202a-\u202f\u2060-\u206f\ufeff\ufff9-\uffff]+\S/,
  ],
]

/** What UTF-8 looks like that was read as Windows-1252, Macintosh or Windows-1251; lost letters; escapes. */
const brokenName = new RegExp(
  [
    'Ã[\\u0080-\\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]',
    '[ÂÄÅÎÏÐÑ×ØÙ][\\u0080-\\u00bf€‚ƒ„…†‡ˆ‰‹‘“”•˜™›]',
    'â€|√[^\\s\\d]|ï»¿',
    '([РС][^\\s]){3}',
    '\\ufffd|\\p{L}\\?\\p{L}|\\\\u[\\da-f]{4}|\\\\["\']|[\\0-\\x08\\x0e-\\x1f\\x7f-\\x9f]',
    // The sign of a quoted line, or of a changed one.
    '^(?:[<>|]|[+-]\\p{L})',
    '[=%][C-E][\\dA-F][=%][89AB][\\dA-F]',
    entity.source,
  ].join('|'),
  'u',
)

/** The number of rows that are looked at between two pauses. */
const rowsPerStep = 1_000

const escapes = /\\([\\tnrbf0N"']|u[\da-f]{4}|x[\da-f]{2})/gi

/** Whether most secrets are numbers of the same length, and the others are shorter, as when their first digits were zeros. */
function lacksZeros(countByLength: ReadonlyMap<number, number>, secretCount: number): boolean {
  const longest = countByLength.get(Math.max(...countByLength.keys())) ?? 0
  const total = [...countByLength.values()].reduce((sum, count) => sum + count, 0)
  return total >= secretCount / 2 && longest < total && longest >= 3 && longest >= total * 0.6
}

/** What may be wrong with the texts that would be imported, which look as if something on their way has changed them. */
export interface TextDoubts {
  doubts: Message[]
  areNamesBroken: boolean
}

/** Looks at the texts of the rows that would be imported. */
export function* findDoubts(rows: readonly MatchedRow[], source: ParsedSource): Steps<TextDoubts> {
  const found = new Set<Message>()
  let areNamesBroken = false
  const numbersByLength = new Map<number, number>()
  let [secretCount, escapeCount, backslashCount] = [0, 0, 0]
  for (const [index, { outcome, fields }] of rows.entries()) {
    if (index % rowsPerStep === 0) yield
    if (outcome !== 'new' && outcome !== 'changed') continue
    const name = fields[titleField]
    // It may be what separates the cells, as in LaTeX, and stand before the password too.
    if (/^[^\p{L}\d_]/u.test(fields.email)) found.add(signsDoubt)
    if (noName.test(name)) found.add(noValueDoubt)
    else areNamesBroken ||= !source.isEncodingUnsure && brokenName.test(name)
    for (const secretName of secretNames) {
      const secret = fieldOf(fields, secretName)
      for (const [doubt, pattern] of secretDoubts) if (pattern.test(secret)) found.add(doubt)
      if (isHeader(/^([^:=]{2,40})[:=] /.exec(secret)?.[1] ?? '')) found.add(signsDoubt)
      if (secret !== '') secretCount++
      if (/^\d+$/.test(secret))
        numbersByLength.set(secret.length, (numbersByLength.get(secret.length) ?? 0) + 1)
      if (!secret.includes('\\')) continue
      const others = secret.replace(escapes, '')
      escapeCount += secret.length - others.length
      backslashCount += others.split('\\').length - 1
    }
  }
  const isText = source.workbook === null && source.program === null && (source.doubts ?? []).length === 0
  if (isText && escapeCount > 0 && backslashCount === 0 && !found.has(noValueDoubt)) found.add(escapesDoubt)
  if (lacksZeros(numbersByLength, secretCount)) found.add(zerosDoubt)
  return { doubts: [...found], areNamesBroken }
}
