import { type UIEvent, useState } from 'react'

/** The height of a row in rem, as in transfer.module.css. */
const rowHeightRem = 3.5
/** More rows than the list shows at once, and as many beyond each edge. */
const screenfulRows = 16

/** Says which rows of a long list that scrolls by itself are to be rendered, and the room of the others in px. */
export function useVirtualList(count: number) {
  const [topRow, setTopRow] = useState(0)
  const rowHeightPx = rowHeightRem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  const first = Math.max(0, Math.min(topRow - screenfulRows, count - 3 * screenfulRows))
  const last = Math.min(count, first + 3 * screenfulRows)
  return {
    first,
    last,
    paddingTopPx: first * rowHeightPx,
    paddingBottomPx: (count - last) * rowHeightPx,
    onScroll: (event: UIEvent) => setTopRow(Math.floor(event.currentTarget.scrollTop / rowHeightPx)),
  }
}
