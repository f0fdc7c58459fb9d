import { type UIEvent, useState } from 'react'
import { textFieldNames, titleField } from '../fields.tsx'
import type { MatchedRow } from './match-rows.ts'
import * as messages from './messages.ts'
import { describeRow } from './preview.ts'
import styles from './row-list.module.css'

/** Height of a row in rem, as in row-list.module.css. */
const rowHeightRem = 3.5
/** Is at least the number of rows that are visible at once. The same number is rendered above and below. */
const visibleRows = 16

/** The rows of the source and their outcomes. Renders only the rows near the visible part. */
export function RowList({ rows }: { rows: readonly MatchedRow[] }) {
  const { first, last, paddingTopPx, paddingBottomPx, onScroll } = useVirtualList(rows.length)
  if (rows.length === 0) return <p className={styles.noRows}>{messages.noRows}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users have to be able to scroll it
    <section className={styles.scroller} aria-label={messages.rowList} tabIndex={0} onScroll={onScroll}>
      <ul className={styles.rows} style={{ paddingBlock: `${paddingTopPx}px ${paddingBottomPx}px` }}>
        {rows.slice(first, last).map((row, offset) => (
          <li
            key={row.number}
            className={styles.row}
            data-outcome={row.outcome}
            aria-setsize={rows.length}
            aria-posinset={first + offset + 1}
          >
            <span className={styles.number}>{messages.row(row.number)}</span>
            <span className={styles.outcome}>{messages.outcomes[row.outcome]}</span>
            <span className={styles.name}>
              <bdi>{row.fields[titleField]}</bdi>
            </span>
            <span className={styles.email}>
              <bdi>
                {textFieldNames
                  .map((name) => row.fields[name])
                  .filter(Boolean)
                  .join(' · ')}
              </bdi>
            </span>
            <span className={styles.detail}>{describeRow(row)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Returns the rows to render, from `first` to `last` (exclusive), and the padding that replaces the others. */
function useVirtualList(count: number) {
  const [topRow, setTopRow] = useState(0)
  const rowHeightPx = rowHeightRem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  const first = Math.max(0, Math.min(topRow - visibleRows, count - 3 * visibleRows))
  const last = Math.min(count, first + 3 * visibleRows)
  return {
    first,
    last,
    paddingTopPx: first * rowHeightPx,
    paddingBottomPx: (count - last) * rowHeightPx,
    onScroll: (event: UIEvent) => setTopRow(Math.floor(event.currentTarget.scrollTop / rowHeightPx)),
  }
}
