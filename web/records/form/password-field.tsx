import { type ComponentProps, startTransition, useCallback, useId, useRef, useState } from 'react'
import type { EmployeeFields, FieldName } from '../../../contract/employees.ts'
import { useReveal } from '../../lib/use-reveal.ts'
import type { Field } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { lazyPart, OnDemand } from '../../ui/lazy-part.tsx'
import { useLiveRegion } from '../../ui/live-region.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import type { ShowToast } from '../../ui/toast.tsx'
import { loadFailed } from '../../ui/words.ts'
import { visibleFieldNames } from '../fields.tsx'
import styles from './password-field.module.css'
import * as words from './words.ts'

interface PasswordFieldProps {
  name: FieldName
  fields: EmployeeFields
  inputProps: ComponentProps<typeof Field>
  onGenerate(password: string): void
  /** Called when the user has pressed the button that shows the password. */
  onReveal(): void
  showToast: ShowToast
}

// Loaded on demand, because most users only read records.
const StrengthHint = lazyPart(() => import('./strength-hint.tsx').then((module) => module.StrengthHint))
const PasswordGenerator = lazyPart(() =>
  import('./password-generator.tsx').then((module) => module.PasswordGenerator),
)

/** A secret field of the form: it can reveal its value, estimates its strength, and generates one on request. */
export function PasswordField({
  name,
  fields,
  inputProps,
  onGenerate,
  onReveal,
  showToast,
}: PasswordFieldProps) {
  const password = fields[name]
  const containerRef = useRef<HTMLDivElement>(null)
  const reveal = useReveal(containerRef)

  function toggle() {
    if (!reveal.shown && password) onReveal()
    reveal.toggle()
  }
  const [isOpen, setIsOpen] = useState(false)
  const generatorId = useId()
  // The form works without the hint, so a failure needs no message.
  const [hasHintFailed, setHasHintFailed] = useState(false)
  const { liveRegion, announce } = useLiveRegion()
  /** The strength of a record's password is not announced when its editing starts. */
  const hasTyped = useRef(false)
  const announceStrength = useCallback(
    (message: string) => {
      if (hasTyped.current) announce(message)
    },
    [announce],
  )

  function handleLoadError() {
    setIsOpen(false)
    showToast(loadFailed)
  }

  function acceptGenerated(generated: string) {
    onGenerate(generated)
    setIsOpen(false)
    reveal.show(true)
    containerRef.current?.querySelector('input')?.focus()
  }

  return (
    <div ref={containerRef} className={styles.field}>
      <PasswordInput
        {...inputProps}
        onChange={(event) => {
          hasTyped.current = true
          // The next password must not be typed in clear.
          if (password && !event.target.value) reveal.show(false)
          inputProps.onChange?.(event)
        }}
        secret={password}
        reveal={{ ...reveal, toggle }}
        autoComplete="new-password"
        onFocus={() => void StrengthHint.preload()}
        hint={
          password &&
          !hasHintFailed && (
            <OnDemand onLoadError={() => setHasHintFailed(true)}>
              <StrengthHint
                password={password}
                userInputs={visibleFieldNames.map((name) => fields[name])}
                announce={announceStrength}
              />
            </OnDemand>
          )
        }
        extraButtons={
          <IconButton
            icon="wand-sparkles"
            aria-label={words.generate}
            aria-expanded={isOpen}
            // Not a light dismiss followed by a click that opens it again.
            {...(isOpen
              ? { popoverTarget: generatorId, popoverTargetAction: 'hide' }
              : { onClick: () => startTransition(() => setIsOpen(true)) })}
          />
        }
      />
      {liveRegion}
      <OnDemand onLoadError={handleLoadError}>
        {isOpen && (
          <PasswordGenerator id={generatorId} onSelect={acceptGenerated} onClose={() => setIsOpen(false)} />
        )}
      </OnDemand>
    </div>
  )
}
