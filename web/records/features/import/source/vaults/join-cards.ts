import type { WorkbookRow, WorkbookSheet } from '../archive/sheets.ts'
import { isHeader } from '../detect-columns.ts'
import { maxColumns } from '../sheet.ts'

/** What a table says of one person: a title above labels and their values. */
interface Card {
  title: string
  values: Map<string, string>
}

/**
 * Makes one sheet of tables that each describe a person by labels and values, as in the pages that password managers print. Other
 * sheets are unchanged.
 */
export function joinCards(sheets: WorkbookSheet[]): WorkbookSheet[] {
  if (sheets.length < 2) return sheets
  const read = sheets.map((sheet) => readCard(sheet.rows))
  const cards = read.filter((card) => card !== undefined)
  const labels = [...new Set(cards.flatMap(({ values }) => [...values.keys()]))].slice(0, maxColumns - 1)
  const isOfAll = (label: string) => cards.filter(({ values }) => values.has(label)).length > cards.length / 2
  if (cards.length < sheets.length - 1 || labels.filter(isHeader).filter(isOfAll).length < 2) return sheets
  const hasTitles = cards.every(({ title }) => title !== '')
  const header = [...(hasTitles ? ['Title'] : []), ...labels]
  const rows = cards.map(
    ({ title, values }, i): WorkbookRow => ({
      number: i + 1,
      cells: [...(hasTitles ? [title] : []), ...labels.map((label) => values.get(label) ?? '')],
      isHidden: false,
    }),
  )
  const [first] = sheets
  return [
    {
      name: first?.name ?? '',
      isHidden: sheets.every(({ isHidden }) => isHidden),
      rows: [{ number: 0, cells: header, isHidden: false }, ...rows],
      isTruncated: false,
      hiddenColumns: new Set(),
      hasMoreColumns: false,
      mayHaveOtherText: sheets.some(({ mayHaveOtherText }) => mayHaveOtherText),
    },
  ]
}

function readCard(rows: readonly WorkbookRow[]): Card | undefined {
  const card: Card = { title: '', values: new Map() }
  for (const { cells } of rows) {
    const [label = '', value, ...others] = cells.filter((cell) => cell !== '')
    if (others.length > 0) return undefined
    if (value === undefined) {
      // A title has a line of its own above all labels; a label may have no value.
      if (card.values.size === 0) card.title ||= label.trim()
      continue
    }
    const name = label.trim().replace(/[\s:$]+$/, '')
    if (card.values.has(name)) return undefined
    card.values.set(name, value)
  }
  return card.values.size > 1 ? card : undefined
}
