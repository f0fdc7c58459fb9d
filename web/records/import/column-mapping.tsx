import styles from './import-dialog.module.css'
import { getColumnNames, type ReadOptions } from './preview.ts'
import type { Field } from './source/detect-columns.ts'
import type { ParsedSource } from './source/parse-source.ts'

interface ColumnMappingProps {
  source: ParsedSource
  readOptions: ReadOptions
  onReadOptionsChange(readOptions: ReadOptions): void
}

const fieldLabels: Record<Field, string> = { eName: 'Name', email: 'Email', password: 'Password' }

/** Lets the user correct the detected columns and read options. */
export function ColumnMapping({ source, readOptions, onReadOptionsChange }: ColumnMappingProps) {
  const names = getColumnNames(source, readOptions.hasHeader)

  function choose(field: Field, value: string) {
    const column = value === '' ? null : Number(value)
    onReadOptionsChange({ ...readOptions, columns: { ...readOptions.columns, [field]: column } })
  }

  return (
    <fieldset className={styles.columns}>
      <legend className="visually-hidden">Columns</legend>
      {(Object.keys(fieldLabels) as Field[]).map((field) => (
        <label key={field} className={styles.column}>
          {fieldLabels[field]}
          <select
            value={readOptions.columns[field] ?? ''}
            onChange={({ target }) => choose(field, target.value)}
          >
            <option value="">No column</option>
            {names.map((name, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat; the index identifies a column
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
          checked={readOptions.hasHeader}
          onChange={({ target }) => onReadOptionsChange({ ...readOptions, hasHeader: target.checked })}
        />
        The first row is a header
      </label>
      {source.escapedCellCount > 0 && (
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={readOptions.unescapesFormulas}
            onChange={({ target }) =>
              onReadOptionsChange({ ...readOptions, unescapesFormulas: target.checked })
            }
          />
          Take off the apostrophe that protects from formulas ({formatCellCount(source.escapedCellCount)})
        </label>
      )}
    </fieldset>
  )
}

function formatCellCount(count: number): string {
  return count === 1 ? '1 cell' : `${count.toLocaleString()} cells`
}
