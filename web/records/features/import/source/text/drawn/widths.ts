/** How many columns a character takes, as the program has counted that has drawn a table. */
export type Metric = 'units' | 'points' | 'screen'

const metrics: readonly Metric[] = ['units', 'points', 'screen']

/** What no program counts differently. */
const plain = /^[\t -~\u00a0-\u02ff\u0370-\u0482\u048a-\u052f]*$/

/** What is as wide as two letters on a screen: letters of East Asia, pictures. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u

/** What is drawn upon the letter before it. */
const mark = /^[\p{M}\u200b-\u200d]$/u

/** The lines of a table by a metric, in which each UTF-16 code unit is a column, and the way back to their text. */
export interface Measured {
  lines: string[]
  restore: (text: string) => string
}

/** The ways to measure these lines that may differ. */
export function* measure(lines: readonly string[]): Generator<Measured> {
  const isPlain = lines.every((line) => plain.test(line))
  for (const metric of isPlain ? metrics.slice(0, 1) : metrics) yield measureBy(lines, metric)
}

/** Characters of the area for private use stand for those that do not take one column. */
const firstCode = 0xe000
const maxCodes = 0x1900
const filler = '\uffff'

function measureBy(lines: readonly string[], metric: Metric): Measured {
  if (metric === 'units') return { lines: [...lines], restore: (text) => text }
  const codes = new Map<string, string>()
  const texts = new Map<string, string>()
  function encode(text: string): string {
    const known = codes.get(text)
    if (known !== undefined) return known
    if (codes.size === maxCodes) return text
    const code = String.fromCharCode(firstCode + codes.size)
    codes.set(text, code)
    texts.set(code, text)
    return code
  }
  const encodeLine = (line: string) => {
    if (plain.test(line)) return line
    const parts: { text: string; isWide: boolean }[] = []
    for (const character of line) {
      const last = parts.at(-1)
      if (metric === 'screen' && last && mark.test(character)) last.text += character
      else parts.push({ text: character, isWide: metric === 'screen' && wide.test(character) })
    }
    return parts
      .map(({ text, isWide }) => {
        const isOwn = text.length === 1 && !/[\ue000-\uf8ff\uffff]/.test(text)
        return (isOwn ? text : encode(text)) + (isWide ? filler : '')
      })
      .join('')
  }
  const restore = (text: string) =>
    text.replaceAll(filler, '').replaceAll(/[\ue000-\uf8ff]/g, (code) => texts.get(code) ?? code)
  return { lines: lines.map(encodeLine), restore }
}
