import styles from './import-dialog.module.css'
import { type Kind, kinds, type Preview } from './preview.ts'

interface KindFilterProps {
  counts: Preview['counts']
  total: number
  /** null: all rows. */
  kind: Kind | null
  onKind(kind: Kind | null): void
}

export const kindLabels: Record<Kind, string> = {
  new: 'New',
  changed: 'Changed',
  same: 'Same',
  wrong: 'Wrong',
}

/** How many rows there are of each kind, and which of them are listed. */
export function KindFilter({ counts, total, kind, onKind }: KindFilterProps) {
  const choice = (value: Kind | null, label: string, count: number) => (
    <label key={label} className={styles.kind} data-kind={count > 0 ? value : null}>
      <input
        type="radio"
        name="kind"
        className="visually-hidden"
        checked={kind === value}
        onChange={() => onKind(value)}
      />
      {label} <span className={styles.count}>{count.toLocaleString()}</span>
    </label>
  )
  return (
    <fieldset className={styles.kinds}>
      <legend className="visually-hidden">Rows to list</legend>
      {choice(null, 'All', total)}
      {kinds.map((value) => choice(value, kindLabels[value], counts[value]))}
    </fieldset>
  )
}
