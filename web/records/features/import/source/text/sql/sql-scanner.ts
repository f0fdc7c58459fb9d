/** Thrown where a statement can't be read as SQL, or not in this dialect. */
export class SqlError extends Error {
  override name = 'SqlError'
}

export interface SqlValue {
  text: string
  /** It is an expression that is not computed here. */
  hasFailed?: boolean
}

const spacePattern = /\s+|--[^\n]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//y
const identifierPattern = /"([^"]+)"|`([^`]+)`|\[([^\]]+)\]|([\p{L}_$#@][\p{L}\p{N}_$#@]*)/uy
const numberPattern = /[-+]?(?:0x[\da-f]*|\.?\d[\d.]*(?:e[-+]?\d+)?)/iy
/** What stands before a text: the kind of its characters, or how it is written. In MySQL and SQLite it may have other marks. */
const textPattern = /(N|E|B|X|U&|_[a-z]\w*\s*)?'|"/iy
const castPattern = /\s*::\s*[\w.]+(?:\s+varying|\s+precision)?(?:\s*\([\d, ]*\))?(?:\[\])?/iy
const typePattern = /\s+as\s+[\w.]+(?:\s*\([\w, ]*\))?/iy
const wordPattern = /(null|default|true|false)\b/iy
const callPattern = /([a-z_]\w*)\s*\(/iy
/** What may end a text or begin another one, or an area in brackets. */
const markPattern = /['"`;(),]|--|\/\*|\$\w*\$|^[ \t]*GO[ \t]*\r?$/gim

const maxDepth = 8

const escapes: Record<string, string> = { 0: '\0', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', Z: '\x1a' }

/** Reads the parts of SQL from left to right. */
export class SqlScanner {
  at = 0
  hasBackslash = false
  readonly text: string
  /** Whether backslashes escape characters of a text, as in MySQL. */
  readonly #hasEscapes: boolean

  constructor(text: string, hasEscapes: boolean) {
    this.text = text
    this.#hasEscapes = hasEscapes
  }

  get isAtEnd() {
    return this.at >= this.text.length
  }

  /** Reads what a sticky pattern matches here. */
  take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)
    if (found) this.at = pattern.lastIndex
    return found
  }

  expect(pattern: RegExp): RegExpExecArray {
    const found = this.take(pattern)
    if (!found) throw new SqlError()
    return found
  }

  /** Leaves out white space and comments. */
  skipSpace() {
    while (this.take(spacePattern));
  }

  takeIdentifier(): string | undefined {
    return this.take(identifierPattern)
      ?.slice(1)
      .find((name) => name !== undefined)
  }

  /** The last part of a name such as `public.users`. */
  takeName(): string | undefined {
    let name = this.takeIdentifier()
    while (name !== undefined && this.take(/\s*\.\s*/y)) name = this.takeIdentifier()
    return name
  }

  /** The names in brackets; undefined if there are no brackets here. */
  takeNames(): string[] | undefined {
    this.skipSpace()
    if (!this.take(/\(/y)) return undefined
    const names: string[] = []
    do {
      this.skipSpace()
      names.push(this.takeName() ?? '')
      this.skipSpace()
    } while (this.take(/,/y))
    this.expect(/\)/y)
    return names
  }

  /** Leaves out everything until a sign outside of texts and brackets: the end of the statement, or of a value. */
  skipTo(signs: ',)' | ';') {
    for (let depth = 0; ; ) {
      markPattern.lastIndex = this.at
      const found = markPattern.exec(this.text)
      if (!found) {
        this.at = this.text.length
        return
      }
      const [mark = ''] = found
      this.at = found.index
      if (signs === ';' ? mark === ';' || /GO/i.test(mark) : depth === 0 && /^[,)]/.test(mark)) return
      this.#skipMark(mark)
      if (mark === '(') depth++
      else if (mark === ')') depth--
    }
  }

  #skipMark(mark: string) {
    if (mark === "'") this.#takeText(this.#hasEscapes)
    else if (mark === '--' || mark === '/*') {
      const start = this.at
      this.skipSpace()
      if (this.at === start) this.at += mark.length
    } else if (/^["`$]/.test(mark)) {
      const end = this.text.indexOf(mark, this.at + mark.length)
      this.at = end === -1 ? this.text.length : end + mark.length
    } else this.at += mark.length
  }

  /** Reads the text in quotation marks that begins here. */
  #takeText(hasEscapes: boolean, isOfDialect = true): string {
    const mark = this.text[this.at]
    const marks = mark === '"' ? /["\\]/g : /['\\]/g
    const parts: string[] = []
    let start = this.at + 1
    for (marks.lastIndex = start; ; ) {
      const found = marks.exec(this.text)
      if (!found) throw new SqlError()
      const { index } = found
      const next = this.text[index + 1] ?? ''
      if (found[0] === '\\') {
        this.hasBackslash ||= isOfDialect
        if (!hasEscapes) continue
        // MySQL leaves these for patterns.
        const isKept = next === '%' || next === '_'
        parts.push(this.text.slice(start, index), isKept ? `\\${next}` : (escapes[next] ?? next))
      } else if (next === mark) parts.push(this.text.slice(start, index + 1))
      else {
        parts.push(this.text.slice(start, index))
        this.at = index + 1
        // An operator may stand behind it, but no word.
        if (this.take(/[\p{L}\p{N}_\\]/uy)) throw new SqlError()
        return parts.join('')
      }
      start = marks.lastIndex = index + 2
    }
  }

  takeValue(depth = 0): SqlValue {
    this.skipSpace()
    const start = this.at
    const value = depth < maxDepth ? this.#takeTerm(depth) : undefined
    this.take(castPattern)
    this.skipSpace()
    if (value && /[,)]/.test(this.text[this.at] ?? '')) return value
    this.at = start
    this.skipTo(',)')
    return { text: '', hasFailed: true }
  }

  /** Undefined for an expression that is not known. */
  #takeTerm(depth: number): SqlValue | undefined {
    const text = this.take(textPattern)
    if (text) {
      this.at--
      const kind = text[1]?.toUpperCase()
      const read = this.#takeText(kind === 'E' || this.#hasEscapes, kind !== 'E')
      return kind === 'X' || kind === 'B' || kind === 'U&' ? undefined : { text: read }
    }
    const number = this.take(numberPattern)
    // Bytes are shown in another way.
    if (number) return /x/i.test(number[0]) ? undefined : { text: number[0] }
    const word = this.take(wordPattern)?.[1]?.toLowerCase()
    if (word) return { text: word === 'null' || word === 'default' ? '' : word }
    const name = this.take(callPattern)?.[1]?.toLowerCase()
    return name === undefined ? undefined : this.#takeCall(name, depth + 1)
  }

  /** The functions by which programs write texts of several lines or of other letters. */
  #takeCall(name: string, depth: number): SqlValue | undefined {
    if (name === 'cast') return this.#takeCast(depth)
    const values: SqlValue[] = []
    do values.push(this.takeValue(depth))
    while (this.take(/,/y))
    this.expect(/\)/y)
    if (values.some(({ hasFailed }) => hasFailed)) return undefined
    const [first = '', sought = '', other = ''] = values.map(({ text }) => text)
    if (name === 'char' || name === 'chr') {
      const code = Number(first)
      return code > 0 && code <= 0x10ffff ? { text: String.fromCodePoint(code) } : undefined
    }
    // As it is written by SQLite, which makes no text longer.
    if (name === 'replace' && values.length === 3 && sought !== '' && other.length <= sought.length)
      return { text: first.replaceAll(sought, other) }
    if (name === 'unistr') return { text: decodeUnistr(first) }
    return name === 'to_clob' || name === 'to_nclob' ? { text: first } : undefined
  }

  #takeCast(depth: number): SqlValue | undefined {
    this.skipSpace()
    const value = this.#takeTerm(depth)
    if (!value || !this.take(typePattern) || !this.take(/\s*\)/y)) return undefined
    return value
  }
}

const decodeUnistr = (text: string) =>
  text.replace(
    /\\(?:u([\da-f]{4})|\+([\da-f]{6})|U([\da-f]{8})|([\da-f]{4})|\\)/gi,
    (written, ...groups: (string | undefined)[]) => {
      const hex = groups.slice(0, 4).find((group) => group !== undefined)
      if (hex === undefined) return '\\'
      const code = Number.parseInt(hex, 16)
      return code <= 0x10ffff ? String.fromCodePoint(code) : written
    },
  )
