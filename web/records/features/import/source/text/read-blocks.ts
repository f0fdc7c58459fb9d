import { msg } from '../../../../../language/translate.ts'
import { isHeader, isNameHeader, isSecretHeader } from '../detect-columns.ts'
import { maxColumns, type Sheet, SourceError } from '../sheet.ts'
import { hasEmail } from './choose-dialect.ts'
import { splitLines } from './split-lines.ts'
import { linesDoubt, maxCells, quotesDoubt, signsDoubt, titlesDoubt, toList } from './to-list.ts'

/** A line of a record, which a list of YAML begins with a dash. */
interface Pair {
  indent: number
  isListed: boolean
  label: string
  /** Whether white space stands before the sign, and how much behind it. */
  isSpaced: boolean
  space: number
  /** The index of the value in its line. */
  start: number
  value: string
}

/** The values of a record by their labels. */
type Block = Map<string, string>

const makePairPattern = (signs: string) =>
  new RegExp(`^(\\s*)(- +)?(["']?)(\\p{L}[^${signs}"']{0,60})\\3\\s*[${signs}](\\s*)(.*)$`, 'u')
const pairPattern = makePairPattern(':=')
const barredPair = makePairPattern('|')

const sectionPattern = /^\s*\[{1,2}([^[\]]+)\]{1,2}\s*$/
/** A line of a comment, or the name of a group of KeePass. */
const commentPattern = /^\s*(?:[#;]|\*{3} .{1,200} \*{3}\s*$)/
/** A line without any text, the one between two documents of YAML, or how many records a database has found. */
const blankPattern = /^\s*(?:-{3,}\s*|\(?\d+ rows?\b.*)?$/
const documentPattern = /^\s*-{3,}\s*$/
/** What psql and MySQL write above a record. */
const recordPattern = /^(?:-\[ [^\]]{1,60} \][-+]*|\*{9,} \d+\. [^*]{1,60} \*{9,})\s*$/
/** What the programs of NirSoft write above and below a record. */
const ruledPattern = /^={20,}\s*$/

const isRule = (line: string) => recordPattern.test(line) || ruledPattern.test(line)

const otherLines = [blankPattern, sectionPattern, recordPattern, ruledPattern]

/** The column of what a section is called by: the name or the email, if no other column has it. */
const sectionLabels = { name: 'Title', email: 'Username' }

/**
 * Reads a list whose records are lines with a label and a value: notes, PowerShell's `Format-List`, records of psql and MySQL, INI
 * files, simple YAML and TOML. Null if any line is something else.
 */
export function readBlocks(original: string): Sheet | null {
  const text = original
    .replace(/^(?:[^\r\n]{0,80}\r?\n){1,3}(?=\+?-\[ )/, '')
    // A dash of YAML may have a line of its own.
    .replace(/^([ \t]*)-[ \t]*\r?\n[ \t]+(?=\S)/gm, '$1- ')
    // The registry of Windows.
    .replace(/^(?:Windows Registry Editor Version \d[.\d]*|REGEDIT4)\r?\n/, '')
  const lines: string[] = []
  const isBordered = text.startsWith('+-[ ')
  const pattern = isBordered || text.startsWith('-[ ') ? barredPair : pairPattern
  const pairs: (Pair | null)[] = []
  let isOfDatabase = false
  /** Whether a comment stands below a secret, of which it may be a line. */
  let isBelowSecret = false
  for (const raw of splitLines(text)) {
    const line = isBordered ? removeBorder(raw) : raw
    isOfDatabase ||= recordPattern.test(line)
    if (commentPattern.test(line) && !isOfDatabase) {
      isBelowSecret ||= isSecretHeader(pairs.at(-1)?.label ?? '')
      continue
    }
    const pair = readPair(line, pattern)
    if (!pair && !otherLines.some((other) => other.test(line))) return null
    lines.push(line)
    pairs.push(pair)
  }
  keepSpaces(pairs)
  const blocks = splitBlocks(lines, pairs, isOfDatabase)
  if (!blocks) return null
  // A database tells all columns of each record: another label is within a cell of several lines.
  const labels = [...(blocks[0]?.keys() ?? [])].join('\n')
  if (isOfDatabase && blocks.some((block) => [...block.keys()].join('\n') !== labels)) return null
  const isFormat = lines.some((line, i) =>
    pairs[i] ? pairs[i].isListed || pairs[i].value === '' : line.trim(),
  )
  const hasLines =
    isBelowSecret ||
    hasLinesOfSecrets(blocks) ||
    hasRulesBelowSecrets(lines, pairs, isOfDatabase ? 0 : blocks.length - 1)
  return toSheet(blocks, isFormat && !isOfDatabase, hasLines)
}

function removeBorder(line: string): string {
  if (/^\+[-+]*\+$/.test(line)) return ''
  if (line.startsWith('+-[')) return line.slice(1)
  return line.startsWith('| ') && line.endsWith('|') ? line.slice(2, -1).trimEnd() : line
}

function readPair(line: string, pattern: RegExp): Pair | null {
  const [, indent = '', dash, , label = '', space = '', value = ''] = pattern.exec(line) ?? []
  if (label === '') return null
  return {
    indent: indent.length + (dash?.length ?? 0),
    isListed: dash !== undefined,
    label: label.trim(),
    isSpaced: label.trim() !== label,
    space: space.length,
    start: line.length - value.length,
    value,
  }
}

/**
 * Gives secrets the spaces before them that other values do not have: they may be of the text. The other labels tell where values
 * begin: behind the same number of spaces, or in a column; else it is the secrets themselves.
 */
function keepSpaces(pairs: readonly (Pair | null)[]) {
  const filled = pairs.filter((pair) => pair !== null).filter(({ value }) => value !== '')
  const others = filled.filter(({ label }) => !isSecretHeader(label))
  const [space, ...otherSpaces] = new Set(others.map((pair) => pair.space))
  const [start, ...otherStarts] = new Set(others.map((pair) => pair.start))
  const secrets = filled.filter(({ label, value }) => isSecretHeader(label) && readValue(value) === value)
  const groups = Map.groupBy(secrets, ({ label, isSpaced }) => `${label}\n${isSpaced}`)
  for (const group of groups.values()) {
    const least = group.reduce((min, { space }) => Math.min(min, space), Infinity)
    for (const pair of group) {
      const bounds = [
        ...(space !== undefined && otherSpaces.length === 0 ? [pair.space - space] : []),
        ...(start !== undefined && otherStarts.length === 0 ? [pair.start - start] : []),
      ]
      const more = Math.min(pair.space, ...(bounds.length > 0 ? bounds : [pair.space - Math.max(1, least)]))
      if (more > 0) pair.value = ' '.repeat(more) + pair.value
    }
  }
}

/** Null if a value has several lines, or it is not clear to which record a line belongs. */
function splitBlocks(
  lines: readonly string[],
  pairs: readonly (Pair | null)[],
  isOfDatabase: boolean,
): Block[] | null {
  const blocks: Block[] = []
  let block: Block = new Map()
  let section = ''
  /** Whether more than its first label tells where the record begins. */
  let isDelimited = false
  function start(name = '') {
    if (block.size > 0) blocks.push(block)
    block = new Map()
    section = name
    isDelimited = true
  }
  const first = pairs.find((pair) => pair !== null && pair.value !== '')
  const isSpaced = areLinesSpaced(pairs)
  let isBehindBlank = false
  let before: Pair | undefined
  for (const [i, pair] of pairs.entries()) {
    if (!pair) {
      const line = lines[i] ?? ''
      const name = isRule(line) ? '' : sectionPattern.exec(line)?.[1]
      if (name !== undefined) start(name.trim())
      else isBehindBlank ||= !isSpaced
      continue
    }
    const { label, value, indent, isListed } = pair
    const next = pairs.slice(i + 1, i + 3).find((other) => other !== null)
    if (value === '' && next && next.indent > indent) {
      // Below its own labels a record has values of several lines; above them it is what the record is called.
      if (block.size > 0 && indent >= (first?.indent ?? 0) && !isListed) return null
      start(label)
      continue
    }
    const isNext = isListed || (isBehindBlank && section === '')
    if (before && block.size > 0 && !isNext && !isOfDatabase && isWithinValue(pair, before, block))
      return null
    before = pair
    if (block.size > 0 && isNext) start()
    else if (block.has(label) || (!isDelimited && block.size > 0 && label === first?.label)) {
      start()
      isDelimited = false
    }
    isBehindBlank = false
    if (block.size === 0 && section !== '') block.set(labelOfSection(section), section)
    block.set(label, value)
  }
  start()
  return areSplitWithin(blocks, first?.label) ? null : blocks
}

/** Whether a label that is not known stands below a secret, and not in each of several records: it may be a line of the secret. */
function hasLinesOfSecrets(blocks: readonly Block[]): boolean {
  const isOfAll = (label: string) => blocks.length > 1 && blocks.every((block) => block.has(label))
  return blocks.some((block) => {
    const labels = [...block.keys()]
    return labels.some(
      (label, i) => !isHeader(label) && isSecretHeader(labels[i - 1] ?? '') && !isOfAll(label),
    )
  })
}

/** Whether a rule, or a number of rows, stands below a secret, and neither between all records nor as the number at the end. */
function hasRulesBelowSecrets(
  lines: readonly string[],
  pairs: readonly (Pair | null)[],
  separatorCount: number,
): boolean {
  const last = lines.findLastIndex((line) => line.trim() !== '')
  const below = [...lines.keys()].filter((i) => {
    const line = lines[i] ?? ''
    const isRule = blankPattern.test(line) && line.trim() !== '' && isSecretHeader(pairs[i - 1]?.label ?? '')
    return isRule && (i < last || documentPattern.test(line))
  })
  const first = pairs.find((pair) => pair !== null)
  const isBetween = (i: number) =>
    i < last && documentPattern.test(lines[i] ?? '') && pairs[i + 1]?.label === first?.label
  return below.length > 0 && !(below.length === separatorCount && below.every(isBetween))
}

/** What begins a value of several lines in YAML. */
const blockScalar = /^[|>][+-]?\d?\s*$/

/** Whether a line is indented more than the one before it, which is not the first of the record or begins such lines. */
const isWithinValue = ({ indent }: Pair, before: Pair, block: Block) =>
  indent > before.indent && (block.size > 1 || blockScalar.test(before.value))

/** Whether blocks that begin with another label than the first have one that the block above lacks: blank lines are within records. */
const areSplitWithin = (blocks: readonly Block[], first = '') =>
  blocks.some((block, i) => {
    const [label = ''] = block.keys()
    const above = blocks[i - 1]
    return label !== first && block.has(first) && above?.has(first) && !above.has(label)
  })

/** Whether blank lines stand between all lines, and not between the records. */
function areLinesSpaced(pairs: readonly (Pair | null)[]): boolean {
  const all = pairs.filter((pair) => pair !== null).length
  const alone = pairs.filter((pair, i) => pair && !pairs[i - 1] && !pairs[i + 1]).length
  return alone > all / 2
}

const labelOfSection = (section: string) => (hasEmail([section]) ? sectionLabels.email : sectionLabels.name)

/** What is no text in YAML, TOML or INI: comments, anchors, tags, no value, and quotation marks that are not read here. */
const formatSigns = /^(?:[&!*][\w!"']|[|>][+-]?\d?\s*$|~\s*$)|(?:^|\s)[#;]\s|["'][#;]/

const hasFormatSigns = (value: string) =>
  formatSigns.test(value) || /^(?:'''|""")/.test(value) || (/^["']/.test(value) && readValue(value) === value)

function toSheet(blocks: readonly Block[], isFormat: boolean, hasLines: boolean): Sheet | null {
  const labels = new Set<string>()
  for (const block of blocks)
    for (const label of block.keys()) if (labels.size < maxColumns) labels.add(label)
  const header = [...labels]
  const known = header.filter(isHeader)
  if (header.length * blocks.length > maxCells)
    throw new SourceError(msg('This file is too big. Split it into several.'))
  const items = blocks.map((block) => ({ cells: header.map((label) => readValue(block.get(label) ?? '')) }))
  const isList = known.length > 1 && items.some(({ cells }) => hasEmail(cells))
  if (!isList) return null
  const has = (test: (value: string) => boolean) =>
    blocks.some((block) => known.some((label) => test(block.get(label) ?? '')))
  const isUnquoted = has((value) => readValue(value) !== value)
  const hasSigns = isFormat && has(hasFormatSigns)
  // A label that is not known may be that of the names.
  const areNamesGuessed =
    header.includes(sectionLabels.name) && known.length < header.length && !known.some(isNameHeader)
  return {
    ...toList(header, items),
    doubts: [
      ...(isUnquoted ? [quotesDoubt] : []),
      ...(hasSigns ? [signsDoubt] : []),
      ...(hasLines ? [linesDoubt] : []),
      ...(areNamesGuessed ? [titlesDoubt] : []),
    ],
  }
}

/** The text of a value that quotation marks enclose, as in YAML and TOML. */
function readValue(value: string): string {
  const single = /^'((?:[^']|'')*)'\s*$/.exec(value)?.[1]
  if (single !== undefined) return single.replaceAll("''", "'")
  if (!/^".*"\s*$/.test(value)) return value
  try {
    return String(JSON.parse(value))
  } catch {
    return value
  }
}
