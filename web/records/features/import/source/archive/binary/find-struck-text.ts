import { findFonts } from './check-records.ts'

/** Kinds of records of Excel 97 to 2003 ([MS-XLS], 2.3). */
const types = { comment: 0x1c, font: 0x31, style: 0xe0, texts: 0xfc, packedNumbers: 0xbd, condition: 0x1b1 }

/** Records of one cell that has a value: formulas, texts, numbers and truth values. */
const cellTypes = new Set([0x06, 0xd6, 0xfd, 0x203, 0x204, 0x205, 0x27e])

const struckFlag = 8

/** No font has this number. */
const missingFont = 4

/**
 * Whether a text in the stream of a workbook, or a part of one, is struck out; of all sheets. Reads the counts and lengths of a
 * damaged record only as far as it goes.
 */
export function hasStruckText(stream: Uint8Array): boolean {
  const view = new DataView(stream.buffer, stream.byteOffset, stream.byteLength)
  const struckFonts = new Set<number>()
  const struckStyles = new Set<number>()
  let [fonts, styles] = [0, 0]
  for (let at = 0, size = 0; at + 4 <= stream.length; at += 4 + size) {
    const type = view.getUint16(at, true)
    size = view.getUint16(at + 2, true)
    const end = Math.min(at + 4 + size, stream.length)
    const short = (place: number) => (place + 2 <= end ? view.getUint16(place, true) : 0)
    if (type === types.font) {
      if (short(at + 6) & struckFlag) struckFonts.add(fonts)
      if (++fonts === missingFont) fonts++
    } else if (type === types.condition && strikesOut(view, at + 4, end)) return true
    else if (struckFonts.size === 0) continue
    else if (type === types.style) {
      if (struckFonts.has(short(at + 4))) struckStyles.add(styles)
      styles++
    } else if (type === types.texts) {
      for (const font of findFonts(view, at)) if (struckFonts.has(font)) return true
    } else if (cellTypes.has(type) && struckStyles.has(short(at + 8))) return true
    else if (type === types.packedNumbers) {
      for (let next = at + 8; next + 8 <= end; next += 6) if (struckStyles.has(short(next))) return true
    }
  }
  return false
}

/** Whether a cell in the stream of a workbook has a comment; of all sheets. */
export function hasComments(stream: Uint8Array): boolean {
  const view = new DataView(stream.buffer, stream.byteOffset, stream.byteLength)
  for (let at = 0; at + 4 <= stream.length; at += 4 + view.getUint16(at + 2, true))
    if (view.getUint16(at, true) === types.comment) return true
  return false
}

/** What a condition changes: the number format, which stands before the font, and the font. */
const [formatFlag, fontFlag] = [1 << 25, 1 << 26]
const conditionStruckFlag = 0x80

/** Whether a condition (CF, [MS-XLS] 2.4.42) strikes the text of its cells out. */
function strikesOut(view: DataView, at: number, end: number): boolean {
  const fontAt = at + 12
  const [lookAt, keptAt] = [fontAt + 68, fontAt + 88]
  if (keptAt + 4 > end) return false
  const changes = view.getUint32(at + 6, true)
  if ((changes & fontFlag) === 0 || (changes & formatFlag) !== 0) return false
  const isKept = (view.getUint32(keptAt, true) & conditionStruckFlag) !== 0
  return !isKept && (view.getUint32(lookAt, true) & conditionStruckFlag) !== 0
}
