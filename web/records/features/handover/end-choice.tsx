import { type HandoverHours, handoverHours } from '../../../../contract/links.ts'
import { t } from '../../../language/translate.ts'
import { CheckField } from '../../../ui/dialog.tsx'
import styles from './end-choice.module.css'

interface EndChoiceProps {
  legend: string
  value: HandoverHours
  onChange(hours: HandoverHours): void
}

/** How long links work. */
export const EndChoice = ({ legend, value, onChange }: EndChoiceProps) => (
  <fieldset className={styles.choices}>
    <legend className={styles.legend}>{legend}</legend>
    {handoverHours.map((hours) => (
      <CheckField
        key={hours}
        type="radio"
        name="end"
        label={
          hours < 24 ? t('an hour') : t('{days, plural, one {a day} other {# days}}', { days: hours / 24 })
        }
        checked={hours === value}
        onChange={() => onChange(hours)}
      />
    ))}
  </fieldset>
)
