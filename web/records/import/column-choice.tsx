import type { Field } from './detect-columns.ts'
import styles from './import-dialog.module.css'
import type { OpenedSource } from './open-source.ts'
import { columnNames, type Reading } from './preview.ts'

interface ColumnChoiceProps {
  source: OpenedSource
  reading: Reading
  onReading(reading: Reading): void
}

const labels: Record<Field, string> = { eName: 'Name', email: 'Email', password: 'Password' }

/** Which column holds what, as it was recognised and as a person corrects it. */
export function ColumnChoice({ source, reading, onReading }: ColumnChoiceProps) {
  const names = columnNames(source, reading.hasHeader)

  function choose(field: Field, value: string) {
    const column = value === '' ? null : Number(value)
    onReading({ ...reading, columns: { ...reading.columns, [field]: column } })
  }

  return (
    <fieldset className={styles.columns}>
      <legend className="visually-hidden">Columns</legend>
      {(Object.keys(labels) as Field[]).map((field) => (
        <label key={field} className={styles.column}>
          {labels[field]}
          <select value={reading.columns[field] ?? ''} onChange={({ target }) => choose(field, target.value)}>
            <option value="">No column</option>
            {names.map((name, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place; names may repeat
              <option key={index} value={index}>
                {name}
              </option>
            ))}
          </select>
        </label>
      ))}
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={reading.hasHeader}
          onChange={({ target }) => onReading({ ...reading, hasHeader: target.checked })}
        />
        The first row is a header
      </label>
      {source.protectedCells > 0 && (
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={reading.unprotects}
            onChange={({ target }) => onReading({ ...reading, unprotects: target.checked })}
          />
          Take off the apostrophe that protects from formulas ({cellsOf(source.protectedCells)})
        </label>
      )}
    </fieldset>
  )
}

function cellsOf(count: number): string {
  return count === 1 ? '1 cell' : `${count.toLocaleString()} cells`
}
