import styles from './import-preview.module.css'
import { type Outcome, outcomes, type Preview } from './preview.ts'
import * as words from './words.ts'

interface OutcomeFilterProps {
  counts: Preview['counts']
  total: number
  /** null selects all rows. */
  selected: Outcome | null
  onSelect(outcome: Outcome | null): void
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
      <legend className="visually-hidden">{words.rowsToList}</legend>
      {renderOption(null, words.allRows, total)}
      {outcomes
        .filter((value) => value !== 'skipped' || counts.skipped > 0)
        .map((value) => renderOption(value, words.outcomes[value], counts[value]))}
    </fieldset>
  )
}
