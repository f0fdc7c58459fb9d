import { useMemo, useState } from 'react'
import styles from './import-preview.module.css'
import type { MatchedRow } from './match-rows.ts'
import * as messages from './messages.ts'
import { type Outcome, outcomes, type Preview } from './preview.ts'
import { RowList } from './row-list.tsx'

/** The rows with the selected outcome, below the number of rows per outcome. */
export function FilteredRows({ rows, counts }: Pick<Preview, 'rows' | 'counts'>) {
  const [selected, setSelected] = useState<Outcome | null>(null)
  const shown = useMemo(
    (): readonly MatchedRow[] => (selected ? rows.filter(({ outcome }) => outcome === selected) : rows),
    [rows, selected],
  )
  const renderOption = (value: Outcome | null, label: string, count: number) => (
    <label key={label} className={styles.outcomeOption} data-outcome={count > 0 ? value : null}>
      <input
        type="radio"
        name="kind"
        className="visually-hidden"
        checked={selected === value}
        onChange={() => setSelected(value)}
      />
      {label} <span className={styles.rowCount}>{count.toLocaleString()}</span>
    </label>
  )
  return (
    <>
      <fieldset className={styles.outcomeFilter}>
        <legend className="visually-hidden">{messages.rowsToList}</legend>
        {renderOption(null, messages.allRows, rows.length)}
        {outcomes
          .filter((value) => value !== 'skipped' || counts.skipped > 0)
          .map((value) => renderOption(value, messages.outcomes[value], counts[value]))}
      </fieldset>
      <RowList key={selected ?? 'all'} rows={shown} />
    </>
  )
}
