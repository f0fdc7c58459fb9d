import { type InvalidEvent, useRef, useState } from 'react'
import { type Employee, fieldRules } from '../../../../contract/employees.ts'
import { msg, t } from '../../../language/translate.ts'
import { noAutofill } from '../../../lib/dom.ts'
import { useMaskedValue } from '../../../lib/use-kept-value.ts'
import { useReveal } from '../../../lib/use-reveal.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import type { FieldConflict, Side } from '../../model/editing/merge-draft.ts'
import { capitalize, fieldViews } from '../../model/fields.ts'
import { useLastChange } from '../../model/history/use-last-change.ts'
import styles from './conflict-choices.module.css'

interface ConflictChoicesProps {
  conflicts: readonly FieldConflict[]
  /** The record as it is in the book. */
  employee: Employee | undefined
  onChoose(conflicts: readonly FieldConflict[], choice: Side): void
}

/** Asks for each conflict which value to keep. What is missing is said here, not in the browser's bubble. */
export function ConflictChoices({ conflicts, employee, onChoose }: ConflictChoicesProps) {
  const change = useLastChange(employee)
  const isOwn = change?.who === 'you'
  const names = conflicts.map(({ name }) => name).join()
  /** The conflicts that were there when one was missed. Another one that comes later was not. */
  const [missedNames, setMissedNames] = useState('')
  return (
    <>
      {conflicts.length > 1 && (
        <div className={styles.all}>
          {choices.map((choice) => (
            <Button key={choice} onClick={() => onChoose(conflicts, choice)}>
              {t(labelOf(choice, isOwn).all)}
            </Button>
          ))}
        </div>
      )}
      {conflicts.map((conflict) => (
        <Choice
          key={conflict.name}
          conflict={conflict}
          isOwn={isOwn}
          time={change?.time ?? ''}
          wasMissed={names === missedNames}
          onMiss={() => setMissedNames(names)}
          onChoose={(choice) => onChoose([conflict], choice)}
        />
      ))}
    </>
  )
}

const choices = ['mine', 'theirs'] as const

const labels = {
  mine: { one: msg('Yours'), all: msg('All mine') },
  theirs: { one: msg('Theirs'), all: msg('All theirs') },
  thisTab: { one: msg('This tab'), all: msg('All of this tab') },
  otherTab: { one: msg('Other tab'), all: msg('All of the other tab') },
}

/** `isOwn`: the user has changed the record in another tab. */
const labelOf = (choice: Side, isOwn: boolean) =>
  labels[isOwn ? (choice === 'mine' ? 'thisTab' : 'otherTab') : choice]

interface ChoiceProps {
  conflict: FieldConflict
  isOwn: boolean
  time: string
  wasMissed: boolean
  onMiss(): void
  onChoose(choice: Side): void
}

function Choice({ conflict, isOwn, time, wasMissed, onMiss, onChoose }: ChoiceProps) {
  const { name } = conflict
  const field = t(fieldViews[name].noun)
  const { isSecret } = fieldRules[name]
  const container = useRef<HTMLFieldSetElement>(null)
  const { shown, toggle } = useReveal(container)

  function reportMissing(event: InvalidEvent<HTMLInputElement>) {
    event.preventDefault()
    onMiss()
    const first = event.currentTarget.form?.querySelector(':invalid[type=radio]')
    if (event.currentTarget === first) event.currentTarget.focus()
  }

  return (
    <fieldset ref={container} className={styles.choice}>
      <legend>{capitalize(field)}</legend>
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
          <span className={styles.whose}>{t(labelOf(choice, isOwn).one)}</span>
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
          {isSecret && time && (
            <span className={styles.age}>
              {choice === 'mine' ? t('Not saved yet') : t('Set at {time}', { time })}
            </span>
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
      {/* Another element once it was missed, so that it is announced. */}
      {conflict.choice === undefined && <Hint key={`${wasMissed}`} wasMissed={wasMissed} />}
    </fieldset>
  )
}

function Hint({ wasMissed }: { wasMissed: boolean }) {
  return (
    <p className={styles.hint} role={wasMissed ? 'alert' : undefined}>
      {t('Choose one')}
    </p>
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
