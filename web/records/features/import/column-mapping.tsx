import { type FieldName, fieldNames, fieldRules } from '../../../../contract/employees.ts'
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
  spacedCounts: Record<FieldName, number>
  /** The field whose column has to be chosen, and the element that says so. */
  missingField: FieldName | null
  problemId: string
  readOptions: ReadOptions
  onReadOptionsChange(readOptions: ReadOptions): void
}

const columns = fieldNames.flatMap((name): (keyof ColumnIndices)[] =>
  name === titleField ? [name, 'lastName'] : [name],
)

const isSecret = (name: FieldName) => fieldRules[name].isSecret === true

export function ColumnMapping(props: ColumnMappingProps) {
  const { source, lackingCount, spacedCounts, missingField, problemId } = props
  const { readOptions, onReadOptionsChange } = props
  const names = getColumnNames(source, readOptions.hasHeader)

  function choose(field: keyof ColumnIndices, value: string) {
    const columns = { ...readOptions.columns, [field]: value === '' ? null : Number(value) }
    const guesses = { isPasswordGuessed: false, isNameGuessed: false, isEmailGuessed: false }
    onReadOptionsChange({ ...readOptions, columns, ...guesses })
  }

  const renderCheck = (option: 'hasHeader' | 'unescapesFormulas' | 'generates' | 'trims', label: string) => (
    <CheckField
      label={label}
      checked={readOptions[option]}
      onChange={({ target }) => onReadOptionsChange({ ...readOptions, [option]: target.checked })}
    />
  )

  function renderSpaces() {
    const [spaced] = fieldNames
      .toSorted((a, b) => Number(isSecret(b)) - Number(isSecret(a)))
      .filter((name) => spacedCounts[name] > 0)
    if (!spaced) return null
    const count = { count: spacedCounts[spaced] }
    return renderCheck(
      'trims',
      isSecret(spaced)
        ? t(
            '{count, plural, one {# password begins or ends with a space. Remove it.} other {# passwords begin or end with a space. Remove the spaces.}}',
            count,
          )
        : t(
            '{count, plural, one {# name begins or ends with a space. Remove it.} other {# names begin or end with a space. Remove the spaces.}}',
            count,
          ),
    )
  }

  return (
    <fieldset className={styles.columns}>
      <legend className="visually-hidden">{t('Columns')}</legend>
      {columns.map((field) => (
        <label key={field} className={styles.column}>
          {field === 'lastName' ? t('Last name') : capitalize(t(fieldViews[field].noun))}
          <select
            className="arrow"
            {...(field === missingField && { 'aria-invalid': true, 'aria-describedby': problemId })}
            // biome-ignore lint/a11y/noAutofocus: its choices are one press away
            autoFocus={field === missingField}
            value={readOptions.columns[field] ?? ''}
            onChange={({ target }) => choose(field, target.value)}
          >
            <option value="">{field === 'lastName' ? t('In the name') : t('Not in this file')}</option>
            {source.usedColumns.map((index) => (
              <option key={index} value={index} translate="no">
                {names[index]}
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
      {renderSpaces()}
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
