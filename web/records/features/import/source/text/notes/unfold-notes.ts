import { isEmailHeader, isHeader, isSecretHeader } from '../../detect-columns.ts'
import { hasEmail } from '../choose-dialect.ts'
import { splitLines } from '../split-lines.ts'

const itemPattern = /^(\s*)(?:[-*+•◦▪‣]|\d{1,6}[.)])\s+(?:\[[ x]\]\s+)?(\S.*)$/u
const headingPattern = /^(?:#{1,6}\s+(\S.*)|\*\*([^*]+)\*\*:?)$/
/** A label, which may be bold, and its value with the spaces before it. */
const labelPattern = /^(?:\*\*|__)?(\p{L}[^:*`]{0,60}?)(?:\*\*|__)?\s*:(?:\*\*|__)?(\s+\S.*|\s*)$/u

interface NoteLine {
  depth: number
  text: string
}

/**
 * Returns a list with lists in it, as Markdown and other notes have them, in the form of records with a label and a value in each
 * line, or with a text in each line; a name, or an email, stands above the lists. Undefined for other text.
 */
export function unfoldNotes(text: string): string | undefined {
  const lines = splitLines(text).filter((line) => line.trim() !== '')
  const read = lines.map(readLine)
  const top = read[0]?.depth
  const inner = read.find((line) => line?.depth !== top)?.depth
  if (top === undefined || inner === undefined || inner <= top) return undefined
  if (!read.every((line) => line?.depth === top || line?.depth === inner)) return undefined
  const groups: string[][] = []
  for (const line of read) {
    if (line?.depth === top) groups.push([line.text])
    else groups.at(-1)?.push(line?.text ?? '')
  }
  const pairs = groups.map(([, ...children]) => children.map((child) => labelPattern.exec(child)))
  if (groups.some((group) => group.length < 2)) return undefined
  const isLabelled = pairs.every((group) => group.every((pair) => pair !== null))
  const hasLabels = pairs.some((group) => group.some((pair) => pair && isHeader(pair[1] ?? '')))
  if (isLabelled !== hasLabels) return undefined
  if (!isLabelled) return groups.flat().join('\n')
  return groups
    .map(([title = ''], i) =>
      [toPair(title), ...(pairs[i] ?? []).map((pair) => `${pair?.[1]}:${pair?.[2] || ' '}`)].join('\n'),
    )
    .join('\n\n')
}

function readLine(line: string): NoteLine | undefined {
  const [, ...headings] = headingPattern.exec(line.trimEnd()) ?? []
  const heading = headings.find((text) => text !== undefined)
  if (heading !== undefined) return { depth: -1, text: heading }
  const [, indent, text] = itemPattern.exec(line) ?? []
  return indent === undefined ? undefined : { depth: indent.length, text: text ?? '' }
}

function toPair(title: string): string {
  const [, label, value] = labelPattern.exec(title) ?? []
  if (label !== undefined && value?.trim()) return `${label}:${value}`
  const name = title.replace(/^(\*\*|__)(.+)\1:?$/, '$2').replace(/:$/, '')
  return `${hasEmail([name]) ? 'Username' : 'Title'}: ${name}`
}

/** What ClickHouse, and psql without borders, write above a record. */
const recordPattern = /^(?:Row \d+:\r?\n[─-]+|\* Record \d+ *)$/gm

/**
 * Returns records whose labels and values stand in two columns, as Miller and psql print them, with a colon behind each label.
 * Undefined for other text.
 */
export function labelColumns(text: string): string | undefined {
  const plain = text.replace(recordPattern, '')
  const lines = splitLines(plain)
  const filled = lines.filter((line) => line.trim() !== '')
  const [first = ''] = filled
  if (/[:=\t]/.test(first.slice(0, 40))) return plain === text ? undefined : plain
  for (const { index, 0: space } of first.slice(0, 200).matchAll(/ +/g)) {
    const start = index + space.length
    const labels = new Set(filled.map((line) => line.slice(0, start).trimEnd()))
    const fits = (line: string) => (line[start - 1] ?? ' ') === ' ' && /^\S/.test(line)
    if (!isHeader(first.slice(0, index)) || labels.size > 60 || !filled.every(fits)) continue
    const known = [...labels].filter(isHeader)
    const isRecord = known.some(isEmailHeader) && known.length > 1 && filled.length > 2
    // A value that is as long as the label of all lines could be one of several words.
    if (!isRecord || filled.length % labels.size > 0 || known.filter(isSecretHeader).length > 1) continue
    return lines
      .map((line) => (line.trim() === '' ? '' : `${line.slice(0, start).trimEnd()}: ${line.slice(start)}`))
      .join('\n')
  }
  return undefined
}
