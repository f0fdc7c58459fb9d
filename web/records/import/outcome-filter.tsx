import styles from './import-dialog.module.css'
import { type Outcome, outcomes, type Preview } from './preview.ts'

interface OutcomeFilterProps {
  counts: Preview['counts']
  total: number
  /** null selects all rows. */
  selected: Outcome | null
  onSelect(outcome: Outcome | null): void
}

export const outcomeLabels: Record<Outcome, string> = {
  new: 'New',
  changed: 'Changed',
  unchanged: 'Unchanged',
  invalid: 'Can’t import',
  skipped: 'Left out',
}

/** Shows the number of rows per outcome, and selects which of them are listed. */
export function OutcomeFilter({ counts, total, selected, onSelect }: OutcomeFilterProps) {
  const renderOption = (value: Outcome | null, label: string, count: number) => (
    <label key={label} className={styles.outcomeOption} data-outcome={count > 0 ? value : null}>
      <input
        type="radio"
        name="kind"
        className="visually-hidden"
        checked={selected === value}
        onChange={() => onSelect(value)}
      />
      {label} <span className={styles.rowCount}>{count.toLocaleString()}</span>
    </label>
  )
  return (
    <fieldset className={styles.outcomeFilter}>
      <legend className="visually-hidden">Rows to list</legend>
      {renderOption(null, 'All', total)}
      {outcomes
        .filter((value) => value !== 'skipped' || counts.skipped > 0)
        .map((value) => renderOption(value, outcomeLabels[value], counts[value]))}
    </fieldset>
  )
}
