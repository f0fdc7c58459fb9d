import { type UIEvent, useMemo, useState } from 'react'
import { formatNumber, t } from '../../../language/translate.ts'
import { Text } from '../../../ui/message.tsx'
import { readableField, textFieldNames, titleField } from '../../model/fields.ts'
import previewStyles from './import-preview.module.css'
import type { MatchedRow } from './matching/match-rows.ts'
import { describeRow, type Outcome, outcomeLabels, outcomes, type Preview } from './preview.ts'
import styles from './row-list.module.css'

interface FilteredRowsProps extends Pick<Preview, 'counts'> {
  rows: readonly MatchedRow[]
  /** The outcome that is selected first. */
  first?: Outcome | null
  /** They are those of an import that is done. */
  isDone?: boolean
}

/** The rows with the selected outcome, below the number of rows per outcome. */
export function FilteredRows({ rows, counts, first = null, isDone = false }: FilteredRowsProps) {
  const [selected, setSelected] = useState(first)
  const shown = useMemo(
    () => (selected ? rows.filter(({ outcome }) => outcome === selected) : rows),
    [rows, selected],
  )
  const renderOption = (value: Outcome | null, label: string, count: number) => (
    <label key={label} className={previewStyles.outcomeOption} data-outcome={count > 0 ? value : null}>
      <input
        type="radio"
        name="kind"
        className="visually-hidden"
        checked={selected === value}
        disabled={count === 0 && selected !== value}
        onChange={() => setSelected(value)}
      />
      {label} <span className={previewStyles.rowCount}>{formatNumber(count)}</span>
    </label>
  )
  return (
    <>
      <fieldset className={previewStyles.outcomeFilter}>
        <legend className="visually-hidden">{t('Rows to list')}</legend>
        {renderOption(null, t('All'), rows.length)}
        {outcomes
          .filter((value) => counts[value] > 0 || !(isDone || value === 'skipped'))
          .map((value) => renderOption(value, t(outcomeLabels[value]), counts[value]))}
      </fieldset>
      <RowList key={selected} rows={shown} />
    </>
  )
}

/** The height of a row in rem, as in row-list.module.css. */
const getRowHeight = () => (matchMedia('(width < 40rem)').matches ? 4.75 : 3.5)
/** Is at least the number of rows that are visible at once. The same number is rendered above and below. */
const visibleRows = 16

/** The rows of the source and their outcomes. Renders only the rows near the visible part. */
function RowList({ rows }: { rows: readonly MatchedRow[] }) {
  const [topRow, setTopRow] = useState(0)
  const rowHeightPx = getRowHeight() * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  const first = Math.max(0, Math.min(topRow - visibleRows, rows.length - 3 * visibleRows))
  const last = Math.min(rows.length, first + 3 * visibleRows)
  if (rows.length === 0) return <p className={styles.noRows}>{t('None.')}</p>
  return (
    <section
      className={styles.scroller}
      aria-label={t('Rows')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users have to be able to scroll it
      tabIndex={0}
      onScroll={(event: UIEvent) => setTopRow(Math.floor(event.currentTarget.scrollTop / rowHeightPx))}
    >
      <ul
        className={styles.rows}
        style={{ paddingBlock: `${first * rowHeightPx}px ${(rows.length - last) * rowHeightPx}px` }}
      >
        {rows.slice(first, last).map((row, offset) => (
          <li
            key={row.number}
            className={styles.row}
            data-outcome={row.outcome}
            aria-setsize={rows.length}
            aria-posinset={first + offset + 1}
          >
            <span className={styles.number}>{t('Row {number}', { number: row.number })}</span>
            <span className={styles.outcome}>{t(outcomeLabels[row.outcome])}</span>
            <span className={styles.name}>
              <bdi translate="no">{row.fields[titleField]}</bdi>
            </span>
            <span className={styles.email}>
              <bdi translate="no">
                {textFieldNames
                  .map((name) => readableField(row.fields, name))
                  .filter(Boolean)
                  .join(' · ')}
              </bdi>
            </span>
            <span className={styles.detail}>
              <Text>{describeRow(row)}</Text>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
