import {
  type InputHTMLAttributes,
  type InvalidEvent,
  type ReactNode,
  type RefObject,
  useId,
  useState,
} from 'react'
import { t } from '../language/translate.ts'
import { noProofreading } from '../lib/dom.ts'
import { isolate } from '../lib/isolate.ts'
import { useKeptValue } from '../lib/use-kept-value.ts'
import { IconButton } from './button.tsx'
import styles from './field.module.css'
import { Text } from './message.tsx'
import passwordStyles from './password-input.module.css'

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string
  hint?: ReactNode
  /** Does not appear in the markup, because it may be a secret. What a program fills in without an event stays. */
  value: string
  ref?: RefObject<HTMLInputElement | null>
  /** Buttons inside the field, at its end. */
  buttons?: ReactNode
  /** What the form is about, such as the id of a record. A problem is not one of another. */
  subject?: string | undefined
}

/**
 * A label, its input and an optional hint, which is the input's accessible description: not while the user types, because a
 * screen reader would read each change of it, beside the live region that announces it when the typing pauses. In place of the hint,
 * the first invalid field of a form says what is wrong, until its value changes.
 */
export function Field({ label, hint, value, ref, buttons, subject, ...input }: FieldProps) {
  const id = useId()
  const kept = useKeptValue(value, subject, ref)
  const hintId = `${id}-hint`
  const [isTyping, setIsTyping] = useState(false)
  const { problem, report } = useProblem(`${subject} ${value}`)
  const describedBy = problem ? hintId : (input['aria-describedby'] ?? (hint ? hintId : undefined))
  const control = (
    <input
      id={id}
      {...kept.props}
      className={styles.input}
      dir={input.type === 'email' ? 'ltr' : undefined}
      {...input}
      aria-invalid={problem ? true : input['aria-invalid']}
      aria-describedby={isTyping ? undefined : describedBy}
      onInvalid={(event) => {
        setIsTyping(false)
        report(event)
      }}
      onChange={(event) => {
        setIsTyping(true)
        input.onChange?.(event)
        // Once React has rendered what changed, if anything has.
        queueMicrotask(kept.restore)
      }}
      onBlur={(event) => {
        setIsTyping(false)
        input.onBlur?.(event)
      }}
    />
  )
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {buttons ? (
        <div className={passwordStyles.container}>
          {control}
          <span className={passwordStyles.buttons}>{buttons}</span>
        </div>
      ) : (
        control
      )}
      {(problem || hint) && (
        <p
          key={problem}
          id={hintId}
          role={problem && 'alert'}
          className={problem ? `${styles.hint} ${styles.problem}` : styles.hint}
        >
          {problem ? <Text>{problem}</Text> : hint}
        </p>
      )}
    </div>
  )
}

/** What is wrong with the input, as long as it is about `value`. In place of the browser's bubble, which covers what is below. */
function useProblem(value: string) {
  const [{ about, problem }, setProblem] = useState({ about: '', problem: '' })
  if (problem && about !== value) setProblem({ about: '', problem: '' })
  return {
    problem,
    report(event: InvalidEvent<HTMLInputElement>) {
      const { form, validity } = event.currentTarget
      event.preventDefault()
      if (form?.querySelector('input:invalid') !== event.currentTarget) return
      event.currentTarget.focus()
      setProblem({
        about: value,
        problem: validity.valueMissing
          ? t('Fill in this field.')
          : t('Enter an email address, such as {example}.', { example: isolate('name@example.com') }),
      })
    },
  }
}

interface PasswordInputProps extends Omit<FieldProps, 'type' | 'ref'> {
  /** Without `toggle`, the value can't be revealed. */
  reveal: { shown: boolean; toggle?: () => void }
  /** The label of the reveal button, unique within the form. */
  revealLabel?: string
  /** More buttons inside the field, before the reveal button. */
  extraButtons?: ReactNode
}

export function PasswordInput(props: PasswordInputProps) {
  const { reveal, revealLabel = t('Show password'), extraButtons, ...input } = props
  const { shown, toggle } = reveal
  return (
    <Field
      {...input}
      type={shown ? 'text' : 'password'}
      dir="ltr"
      {...noProofreading}
      autoCapitalize="none"
      buttons={
        <>
          {extraButtons}
          <IconButton
            icon={shown ? 'eye-off' : 'eye'}
            aria-label={revealLabel}
            aria-pressed={shown}
            disabled={!toggle}
            onClick={toggle}
          />
        </>
      }
    />
  )
}
