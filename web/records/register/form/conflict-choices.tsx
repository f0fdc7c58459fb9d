import { type InvalidEvent, useRef, useState } from 'react'
import { fieldRules } from '../../../../contract/employees.ts'
import { t } from '../../../language/translate.ts'
import { noAutofill } from '../../../lib/dom.ts'
import { useReveal } from '../../../lib/use-reveal.ts'
import { useMaskedValue } from '../../../lib/use-secret-value.ts'
import { IconButton } from '../../../ui/button.tsx'
import type { FieldConflict, Side } from '../../model/editing/merge-draft.ts'
import { capitalize, fieldViews } from '../../model/fields.ts'
import styles from './conflict-choices.module.css'

interface ConflictChoicesProps {
  conflicts: readonly FieldConflict[]
  onChoose(conflict: FieldConflict, choice: Side): void
}

/** Asks for each conflict which value to keep. What is missing is said here, not in the browser's bubble. */
export function ConflictChoices({ conflicts, onChoose }: ConflictChoicesProps) {
  return conflicts.map((conflict) => (
    <Choice key={conflict.name} conflict={conflict} onChoose={(choice) => onChoose(conflict, choice)} />
  ))
}

const choices = ['mine', 'theirs'] as const

function Choice({ conflict, onChoose }: { conflict: FieldConflict; onChoose(choice: Side): void }) {
  const { name } = conflict
  const field = t(fieldViews[name].noun)
  const { isSecret } = fieldRules[name]
  const container = useRef<HTMLFieldSetElement>(null)
  const { shown, toggle } = useReveal(container)
  const [wasMissed, setMissed] = useState(false)

  function reportMissing(event: InvalidEvent<HTMLInputElement>) {
    event.preventDefault()
    setMissed(true)
    const first = event.currentTarget.form?.querySelector(':invalid[type=radio]')
    if (event.currentTarget === first) event.currentTarget.focus()
  }

  return (
    <fieldset ref={container} className={styles.choice}>
      <legend>{capitalize(field)}</legend>
      {wasMissed && conflict.choice === undefined && (
        <p role="alert" className={styles.missing}>
          {t('Choose yours or theirs.')}
        </p>
      )}
      {choices.map((choice) => (
        <label key={choice} className={styles.option}>
          <input
            type="radio"
            name={`keep-${name}`}
            required
            checked={conflict.choice === choice}
            onChange={() => onChoose(choice)}
            onInvalid={reportMissing}
          />
          <span>{choice === 'mine' ? t('Yours') : t('Theirs')}</span>
          {isSecret ? (
            <SecretValue
              label={choice === 'mine' ? t('Your {field}', { field }) : t('Their {field}', { field })}
              secret={conflict[choice]}
              isShown={shown}
            />
          ) : (
            <bdi className={styles.value} translate="no">
              {conflict[choice]}
            </bdi>
          )}
        </label>
      ))}
      {isSecret && (
        <IconButton
          icon={shown ? 'eye-off' : 'eye'}
          className={styles.reveal}
          aria-label={t('{name, select, password {Show both passwords} other {Show both values}}', { name })}
          aria-pressed={shown}
          onClick={toggle}
        />
      )}
    </fieldset>
  )
}

/** Can be focused only while it is shown, to read a long password with the arrow keys. */
function SecretValue({ label, secret, isShown }: { label: string; secret: string; isShown: boolean }) {
  const input = useMaskedValue(secret, isShown)
  return (
    <input
      {...input}
      className={styles.secret}
      type={isShown ? 'text' : 'password'}
      dir="ltr"
      aria-label={label}
      aria-hidden={!isShown}
      tabIndex={isShown ? 0 : -1}
      readOnly
      {...noAutofill}
    />
  )
}
