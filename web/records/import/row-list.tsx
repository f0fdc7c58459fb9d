import styles from './import-dialog.module.css'
import type { MatchedRow } from './match-rows.ts'
import { outcomeLabels } from './outcome-filter.tsx'
import { describeRow } from './preview.ts'
import { useVirtualList } from './use-virtual-list.ts'

/** Each row of the source with what would become of it; only those on the screen are in the page. */
export function RowList({ rows }: { rows: readonly MatchedRow[] }) {
  const { first, last, paddingTopPx, paddingBottomPx, onScroll } = useVirtualList(rows.length)
  if (rows.length === 0) return <p className={styles.none}>No rows of this kind.</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={styles.scroller} aria-label="Rows" tabIndex={0} onScroll={onScroll}>
      <ul className={styles.rows} style={{ paddingBlock: `${paddingTopPx}px ${paddingBottomPx}px` }}>
        {rows.slice(first, last).map((row, offset) => (
          <li
            key={row.number}
            className={styles.row}
            data-outcome={row.outcome}
            aria-setsize={rows.length}
            aria-posinset={first + offset + 1}
          >
            <span className={styles.number}>Row {row.number}</span>
            <span className={styles.verdict}>{outcomeLabels[row.outcome]}</span>
            <span className={styles.name}>
              <bdi>{row.fields.eName}</bdi>
            </span>
            <span className={styles.email}>
              <bdi>{row.fields.email}</bdi>
            </span>
            <span className={styles.detail}>{describeRow(row)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
