import {
  type EmployeeFields,
  fieldNames,
  fieldOf,
  fieldRules,
  isEmail,
} from '../../../../contract/employees.ts'
import { type Message, msg } from '../../../language/translate.ts'
import { titleField } from '../../model/fields.ts'
import type { MatchedRow } from './matching/match-rows.ts'
import type { Steps } from './matching/target-index.ts'
import { isHeader, isSecretHeader } from './source/detect-columns.ts'
import type { ParsedSource } from './source/parse-source.ts'
import { codesDoubt, escapesDoubt } from './source/sheet.ts'
import { signsDoubt } from './source/text/to-list.ts'

const zerosDoubt = msg(
  'Some numbers are shorter than the others. Check whether zeros are missing in the passwords.',
)
const noValueDoubt = msg('Texts such as NULL may stand for empty cells. Check the names and passwords.')

const wordsDoubt = msg(
  'Some passwords consist of several words or lines. Check whether all of it is the password.',
)
const encryptedDoubt = msg(
  'Some passwords look encrypted, so nobody could sign in with them. Check the passwords.',
)
const unseenDoubt = msg('Some passwords have characters that can’t be seen or typed. Check the passwords.')
const placeDoubt = msg('Some passwords look like a name or an address. Check the passwords.')

const percentDoubt = msg('Texts such as %22 may stand for other characters. Check the passwords.')
const apostropheDoubt = msg(
  'Some passwords begin with an apostrophe, by which spreadsheets mark text. Check the passwords.',
)

const secretNames = fieldNames.filter((name) => fieldRules[name].isSecret)

const entity =
  /&(amp|lt|gt|quot|apos|nbsp|[aeiounyc](uml|acute|grave|circ|tilde|cedil)|[lr][sda]quo|[mn]dash|szlig|a?ring|aelig|oslash|euro|pound|yen|cent|copy|reg|sect|deg|hellip|bull|middot|micro|para|shy|#\d{2,6}|#x[\da-f]{2,5});/i

/** A code of an address; and what no program leaves in a text in which it writes such codes. */
const percentCode = /%(0[9AD]|2[\dA-F]|3[A-F]|40|5[B-E]|60|7[B-D]|C[23]%[89AB][\dA-F])/i
const neverEncoded = /%(?![\dA-F]{2})|[@#$&,/:;=?{}|\\^[\]`"<>\s]/i

/** What begins with an apostrophe that no other one answers; and what spreadsheets would change without it. */
const apostrophe = /^\s*'(?!.*'\s*$)/s
const changedBySpreadsheets =
  /^\s*'\s*([=+@-]|[\d\s.,:/()%€$+-]+(e[+-]?\d+)?\s*$|\d{0,2}[-. ]?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|true$|false$)/i

/** What databases and programs write for no value; in names only what no one is called. */
const noValue =
  /^\s*(null|[(<[](null|na)[)>\]]|\\N|na|nil|none|nan|undefined|n\/a|tbd|tba|unknown|[-–—]|\?+|#{3,}|(System|Microsoft)(\.\w+)+(\[\])?|\/Date\(.*\)\/|\$\{[\w.]+\}|\{\{[\s\w.]+\}\}|\{REF:.+\})\s*$/i
/** What people write in place of a password, such as "(same)" or "see vault". */
const remark =
  /^\s*(x{3,}|[([{<][\p{L}\s]{3,}[)\]}>]|[-–—]{0,3}\s?["〃″“”]{1,2}\s?[-–—]{0,3}|(same|see|ask|as|to be|not|no|siehe|wie|voir|ver|véase|vedi|zie|viz|см\.?)(\s\p{L}+){1,3}|s\.\s?o\.)[\s.!]*$/iu
/** The same in one word, in the languages of the page and some others. */
const remarks = new Set(
  `same ditto pending todo unset unchanged yes no true false nothing locked blocked disabled deactivated inactive suspended
  expired resigned retired forgotten missing empty blank sso ldap createpassword ✓ ✔ ✗ ✘
  ja nein wahr falsch kein keine keins keines unbekannt unverändert dito gleich gesperrt deaktiviert inaktiv gekündigt ausgeschieden
  offen fehlt leer vergessen
  oui non vrai faux aucun aucune inconnu idem inchangé bloqué verrouillé désactivé inactif oublié vide
  sí si verdadero falso ninguna ninguno desconocida desconocido igual ídem pendiente bloqueada bloqueado desactivada vacía olvidada
  sim não verdadeiro nenhuma desconhecida pendente desativada inativa vazia esquecida
  nessuna sconosciuta uguale bloccata disattivata vero geen onbekend zelfde geblokkeerd nee brak nieznane zablokowane tak nie žádné
  neznámé да нет неизвестно заблокирован なし 不明 同上 未設定 同じ 无 無 没有 未知 未设置 不详 نعم لا مجهول نفسه`.split(
    /\s+/,
  ),
)
const isRemark = (secret: string) => remarks.has(secret.trim().replace(/[.!]$/, '').toLowerCase())
const noName = /^\s*(null|[(<[]null[)>\]]|\\N|undefined|n\/a)\s*$/i

/** What passwords look like that the program or the way of an export has changed. */
const secretDoubts: readonly [doubt: Message, pattern: RegExp][] = [
  [msg('Texts such as &amp; may stand for other characters. Check the passwords.'), entity],
  [percentDoubt, /=3D/i],
  [noValueDoubt, noValue],
  [noValueDoubt, remark],
  [signsDoubt, /\S\s[([](?=[^()[\]]*\p{L}{3})[^()[\]]*[)\]]\s*$/u],
  [signsDoubt, /\S\s(->|=>|<-|<=|→|←|#|\/\/|\/|\|)\s\S|<br\s*\/?>|~~[^~]+~~|\]\(\w+:|<(mailto|tel|https?):/i],
  // Pictures, and what buttons of a page say.
  [
    signsDoubt,
    /\p{Emoji_Presentation}|\S(Copy|Copied|Show|Hide|Reveal|Kopieren|Anzeigen|Copier|Afficher|Copiar|Mostrar|コピー|表示|复制|显示|نسخ)\s*$/u,
  ],
  [codesDoubt, /_x[\da-f]{4}_/i],
  [
    encryptedDoubt,
    /^\s*(\$(2[abxy]?|[156y7PH]|apr1|argon2\w*|pbkdf2[\w-]*|scrypt)\$\S{8,}|\{[\w-]{3,20}\}\S{16,}|(pbkdf2|bcrypt|argon2|scrypt|md5|sha1)\w*\$\S{8,}|(?:[\da-f]{32}|[\da-f]{40}|[\da-f]{64}|[\da-f]{128}))\s*$/i,
  ],
  [
    encryptedDoubt,
    /^\s*(ENC[([].{8}|2\.[\w+/]{16,}={0,2}\||01000000d08c9ddf|AQAAANCMnd8|U2FsdGVkX1|gAAAAA[\w-]{20}|vault:v\d|\$ANSIBLE_VAULT|!vault|-----BEGIN )/i,
  ],
  [
    msg('Texts such as 1.2E+15 or 4-Mar are what a spreadsheet makes of others. Check the passwords.'),
    /^\s*(-?\d([.,]\d+)?E\+\d{2,3}|(?=[\w-]*\d)(\d{1,2}-)?(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(-\d{2})?|(\d{4}-\d{2}-\d{2}|\d{1,2}(?<sign>[./-])\d{1,2}\k<sign>(\d{4}|\d{2}))([T ]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?Z?)?|\d{1,2}:\d{2}:\d{2}( [AP]M)?|\d+\.0|\d+([.,]\d+)?%|\d{1,3}([,.’' ]\d{3})+)\s*$/,
  ],
  [
    unseenDoubt,
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what nobody types
    /\S[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\xa0\xad\u061c\u200b\u200c\u200e\u200f\u202a-\u202f\u2060-\u206f\ufeff\ufff9-\uffff]+\S/,
  ],
  [unseenDoubt, /^[\xad\u061c\u200b-\u200f\u2060-\u206f]|[\xad\u061c\u200b-\u200f\u2060-\u206f]$/],
  [
    unseenDoubt,
    // Letters of another encoding, with a mark of their own, or as wide as those of East Asia.
    /Ã[\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€|Â[\u0080-\u00bf]|\p{Script=Latin}\p{M}|[\uff01-\uff5e]/u,
  ],
  [
    msg('Signs such as “ or – are what a word processor makes of others. Check the passwords.'),
    /[‘’“”„‚«»‹›–—©®™½¼¾→←⇒]|…./,
  ],
  [msg('Some passwords may be cut, or hidden in part. Check the passwords.'), /[*•●∙·]{3}|\S(…|\.{3})\s*$/],
  [placeDoubt, /^\s*([a-z]{2,10}:\/\/|www\.)\S/i],
  [placeDoubt, /^\s*\p{Lu}[\p{Ll}’'-]+(\s\p{Lu}[\p{Ll}’'-]+){1,2}\s*$/u],
]

/** What UTF-8 looks like that was read as Windows-1252, Macintosh or Windows-1251; lost letters; escapes. */
const brokenName = new RegExp(
  [
    'Ã[\\u0080-\\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]',
    '[ÂÄÅÎÏÐÑ×ØÙ][\\u0080-\\u00bf€‚ƒ„…†‡ˆ‰‹‘“”•˜™›]',
    'â€|√[^\\s\\d]|ï»¿',
    '([РС][^\\s]){3}',
    '\\ufffd|\\p{L}\\?\\p{L}|\\\\u[\\da-f]{4}|\\\\["\']|[\\0-\\x08\\x0e-\\x1f\\x7f-\\x9f]',
    // Another line, as of what somebody does, or of a letter in place of a picture.
    '[\\r\\n]',
    // The sign of a quoted line, or of a changed one.
    '^(?:[<>|]|[+-]\\p{L})',
    // A label and a value, as a server is told them.
    '\\S\\s*:=\\s',
    // What other programs put before or behind a name, such as the number of its row.
    '^\\d+;#|^\\s*\\d+[.):]?\\s+\\p{L}|https?:\\/\\/',
    '[=%][C-E][\\dA-F][=%][89AB][\\dA-F]',
    entity.source,
  ].join('|'),
  'u',
)

/** The number of rows that are looked at between two pauses. */
const rowsPerStep = 1_000

const escapes = /\\([\\tnrbf0N"']|u[\da-f]{4}|x[\da-f]{2})/gi

/** What marks a text in notes and wikis: a sign before it, and the one behind it. */
const enclosed = /^([=~*_`]{1,3}|\[{1,2}|\{{1,3}|\(|<).+?([=~*_`]{1,3}|\]{1,2}|\}{1,3}|\)|>)$/s

/** Counts what tells something of the secrets only where most of them have it, or all. */
class SecretCounts {
  #total = 0
  #spaced = 0
  /** Those with white space of which nothing else is asked. */
  #unexplained = 0
  #encoded = 0
  #escapes = 0
  #apostrophes = 0
  #labelled = 0
  #areMarked = false
  #backslashes = 0
  readonly #numbersByLength = new Map<number, number>()
  readonly #ends = new Map<string, number>()
  readonly #enclosed = new Map<string, number>()

  add(secret: string, isDoubted: boolean) {
    if (secret === '') return
    this.#total++
    if (/\S\s+\S/.test(secret)) {
      this.#spaced++
      if (!isDoubted) this.#unexplained++
    }
    if (isEncodedText(secret)) this.#encoded++
    if (apostrophe.test(secret)) {
      this.#apostrophes++
      this.#areMarked ||= changedBySpreadsheets.test(secret)
    }
    if (isSecretHeader(/^(\S{2,40})\s+\S/.exec(secret)?.[1] ?? '')) this.#labelled++
    const [end] = /[.,;]$/.exec(secret) ?? []
    if (end) increment(this.#ends, end)
    if (/^\d+$/.test(secret)) increment(this.#numbersByLength, secret.length)
    const [, open, close] = enclosed.exec(secret) ?? []
    if (open && open.length === close?.length) increment(this.#enclosed, open + close)
    if (!secret.includes('\\')) return
    const others = secret.replace(escapes, '')
    this.#escapes += secret.length - others.length
    this.#backslashes += others.split('\\').length - 1
  }

  get areEscaped() {
    return this.#escapes > 0 && this.#backslashes === 0
  }

  *findDoubts() {
    if (this.#unexplained > 0 && this.#spaced <= this.#total / 2) yield wordsDoubt
    if (this.#total > 1 && this.#encoded === this.#total) yield encryptedDoubt
    // Of many that are random, a few begin with one.
    if (this.#areMarked || this.#apostrophes > this.#total / 10) yield apostropheDoubt
    const marks = [...this.#enclosed.values(), ...this.#ends.values()]
    const isMarked = this.#total > 1 && marks.includes(this.#total)
    if (isMarked || (this.#labelled > 0 && this.#labelled === this.#total)) yield signsDoubt
    if (lacksZeros(this.#numbersByLength, this.#total)) yield zerosDoubt
  }
}

const increment = <Key>(counts: Map<Key, number>, key: Key) => counts.set(key, (counts.get(key) ?? 0) + 1)

/** Whether a text is Base64 of a text that can be read: another one hardly ever is, and several are not. */
function isEncodedText(text: string): boolean {
  if (text.length % 4 !== 0 || !/^[a-z\d+/]{6,200}={0,2}$/i.test(text)) return false
  return /^[\x20-\x7e]+$/.test(atob(text))
}

/** Whether most secrets are numbers of the same length, and the others are shorter, as when their first digits were zeros. */
function lacksZeros(countByLength: ReadonlyMap<number, number>, secretCount: number): boolean {
  const longest = countByLength.get(Math.max(...countByLength.keys())) ?? 0
  const total = [...countByLength.values()].reduce((sum, count) => sum + count, 0)
  return total >= secretCount / 2 && longest < total && longest >= 3 && longest >= total * 0.6
}

/** Whether a secret is what another column has: the name, an email, or a name where the name looks like a password. */
function isOfOtherColumn(secret: string, { email, [titleField]: name }: EmployeeFields): boolean {
  const text = secret.trim().toLowerCase()
  if (text === '') return false
  if (text === name.trim().toLowerCase() || text === email.toLowerCase()) return true
  return (
    (isEmail(text) && /^[\p{L}\d._%+-]+@[^@]+\.\p{L}{2,}$/u.test(text)) ||
    (/\d/.test(name) && /\p{L}/u.test(name) && !/\s/.test(name) && /^\p{L}[\p{L}\p{M}\s.’'-]*$/u.test(text))
  )
}

/** Whether a label, the email or its user name stands before a secret, as in "pw:secret" or "ada/secret". */
function hasPrefix(secret: string, email: string): boolean {
  const label = /^([^:=/|]{2,60})[:=/|]./.exec(secret.trim().slice(0, 100))?.[1] ?? ''
  const prefix = label.trim()
  const [user = ''] = email.split('@')
  return isSecretHeader(prefix) || (prefix !== '' && [user, email].includes(prefix.toLowerCase()))
}

/** What a secret alone, or beside the other fields, makes doubtful. */
function findSecretDoubts(secret: string, fields: EmployeeFields): Message[] {
  const doubts = secretDoubts.filter(([, pattern]) => pattern.test(secret)).map(([doubt]) => doubt)
  if (percentCode.test(secret) && !neverEncoded.test(secret)) doubts.push(percentDoubt)
  if (isRemark(secret) || isSecretHeader(secret)) doubts.push(noValueDoubt)
  if (/[\r\n]/.test(secret.trim())) doubts.push(wordsDoubt)
  if (isHeader(/^([^:=]{2,40})[:=] /.exec(secret)?.[1] ?? '')) doubts.push(signsDoubt)
  if (hasPrefix(secret, fields.email)) doubts.push(signsDoubt)
  if (isOfOtherColumn(secret, fields)) doubts.push(placeDoubt)
  return doubts
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
  const counts = new SecretCounts()
  for (const [index, { outcome, fields }] of rows.entries()) {
    if (index % rowsPerStep === 0) yield
    if (outcome !== 'new' && outcome !== 'changed') continue
    const name = fields[titleField]
    // It may be what separates the cells, as in LaTeX, and stand before the password too; or a label, as in `User|7|ada@a.org`.
    if (/^[^\p{L}\d_]|[|=:<>{}"\\].*@/u.test(fields.email)) found.add(signsDoubt)
    if (noName.test(name)) found.add(noValueDoubt)
    else areNamesBroken ||= !source.isEncodingUnsure && brokenName.test(name)
    for (const secretName of secretNames) {
      const secret = fieldOf(fields, secretName)
      const doubts = findSecretDoubts(secret, fields)
      for (const doubt of doubts) found.add(doubt)
      counts.add(secret, doubts.length > 0)
    }
  }
  const isText = source.workbook === null && source.program === null && (source.doubts ?? []).length === 0
  if (isText && counts.areEscaped && !found.has(noValueDoubt)) found.add(escapesDoubt)
  for (const doubt of counts.findDoubts()) found.add(doubt)
  return { doubts: [...found], areNamesBroken }
}
