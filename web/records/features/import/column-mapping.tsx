import { fieldNames } from '../../../../contract/employees.ts'
import { CheckField } from '../../../ui/dialog.tsx'
import { titleField } from '../../model/fields.ts'
import styles from './import-preview.module.css'
import * as messages from './messages.ts'
import { getColumnNames, type ReadOptions } from './preview.ts'
import type { ColumnIndices } from './source/detect-columns.ts'
import type { ParsedSource } from './source/parse-source.ts'

interface ColumnMappingProps {
  source: ParsedSource
  lackingCount: number
  readOptions: ReadOptions
  onReadOptionsChange(readOptions: ReadOptions): void
}

const columns = fieldNames.flatMap((name): (keyof ColumnIndices)[] =>
  name === titleField ? [name, 'lastName'] : [name],
)

/** Lets the user correct the detected columns and read options. */
export function ColumnMapping(props: ColumnMappingProps) {
  const { source, lackingCount, readOptions, onReadOptionsChange } = props
  const names = getColumnNames(source, readOptions.hasHeader)

  function choose(field: keyof ColumnIndices, value: string) {
    const column = value === '' ? null : Number(value)
    const columns = { ...readOptions.columns, [field]: column }
    onReadOptionsChange({ ...readOptions, columns, isPasswordGuessed: false })
  }

  const renderCheck = (option: 'hasHeader' | 'unescapesFormulas' | 'generates', label: string) => (
    <CheckField
      label={label}
      checked={readOptions[option]}
      onChange={({ target }) => onReadOptionsChange({ ...readOptions, [option]: target.checked })}
    />
  )

  return (
    <fieldset className={styles.columns}>
      <legend className="visually-hidden">{messages.columns}</legend>
      {columns.map((field) => (
        <label key={field} className={styles.column}>
          {field === 'lastName' ? messages.lastName : messages.columnLabel(field)}
          <select
            value={readOptions.columns[field] ?? ''}
            onChange={({ target }) => choose(field, target.value)}
          >
            <option value="">{field === 'lastName' ? messages.noLastName : messages.noColumn}</option>
            {names.map((name, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat; the index identifies a column
              <option key={index} value={index} translate="no">
                {name}
              </option>
            ))}
          </select>
        </label>
      ))}
      {renderCheck('hasHeader', messages.hasHeader)}
      {source.escapedCellCount > 0 &&
        renderCheck('unescapesFormulas', messages.removeApostrophe(source.escapedCellCount))}
      {lackingCount > 0 && (
        <div className={styles.generate}>
          {renderCheck('generates', messages.generateMissing(lackingCount))}
        </div>
      )}
    </fieldset>
  )
}
