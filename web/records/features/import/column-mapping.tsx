import { fieldNames } from '../../../../contract/employees.ts'
import { t } from '../../../language/translate.ts'
import { CheckField } from '../../../ui/dialog.tsx'
import { capitalize, fieldViews, titleField } from '../../model/fields.ts'
import styles from './import-preview.module.css'
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

export function ColumnMapping(props: ColumnMappingProps) {
  const { source, lackingCount, readOptions, onReadOptionsChange } = props
  const names = getColumnNames(source, readOptions.hasHeader)

  function choose(field: keyof ColumnIndices, value: string) {
    const columns = { ...readOptions.columns, [field]: value === '' ? null : Number(value) }
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
      <legend className="visually-hidden">{t('Columns')}</legend>
      {columns.map((field) => (
        <label key={field} className={styles.column}>
          {field === 'lastName' ? t('Last name') : capitalize(t(fieldViews[field].noun))}
          <select
            value={readOptions.columns[field] ?? ''}
            onChange={({ target }) => choose(field, target.value)}
          >
            <option value="">{field === 'lastName' ? t('In the name') : t('Not in this file')}</option>
            {names.map((name, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat; the index identifies a column
              <option key={index} value={index} translate="no">
                {name}
              </option>
            ))}
          </select>
        </label>
      ))}
      {renderCheck('hasHeader', t('The first row is a header'))}
      {source.escapedCellCount > 0 &&
        renderCheck(
          'unescapesFormulas',
          t(
            'Remove the apostrophes that guard against formulas ({count, plural, one {# cell} other {# cells}})',
            { count: source.escapedCellCount },
          ),
        )}
      {lackingCount > 0 && (
        <div className={styles.generate}>
          {renderCheck(
            'generates',
            t(
              '{count, plural, one {# row has no password. Generate one.} other {# rows have no password. Generate one for each.}}',
              { count: lackingCount },
            ),
          )}
        </div>
      )}
    </fieldset>
  )
}
