import { type ComponentProps, type MouseEvent, useId, useRef, useState } from 'react'
import { type EmployeeFields, type FieldName, fieldOf } from '../../../../contract/employees.ts'
import { t } from '../../../language/translate.ts'
import { useOpening } from '../../../lib/presses/use-opening.ts'
import { useReveal } from '../../../lib/use-reveal.ts'
import { IconButton } from '../../../ui/button.tsx'
import { type Field, PasswordInput } from '../../../ui/field.tsx'
import { lazyPart, OnDemand } from '../../../ui/lazy-part.tsx'
import { useLiveRegion } from '../../../ui/live-region.tsx'
import { visibleFieldNames } from '../../model/fields.ts'
import styles from './password-field.module.css'

interface PasswordFieldProps {
  name: FieldName
  fields: EmployeeFields
  inputProps: ComponentProps<typeof Field>
  /** The value can't be revealed. */
  isLocked: boolean
  onGenerate(password: string): void
  onReveal(): void
}

// Loaded on demand, because most users only read records.
const StrengthHint = lazyPart(() => import('./strength-hint.tsx'), 'StrengthHint')
const PasswordGenerator = lazyPart(() => import('./password-generator.tsx'), 'PasswordGenerator')

/** A secret field of the form: it can reveal its value, estimates its strength, and generates one on request. */
export function PasswordField(props: PasswordFieldProps) {
  const { name, fields, inputProps, isLocked, onGenerate, onReveal } = props
  const password = fieldOf(fields, name)
  const containerRef = useRef<HTMLDivElement>(null)
  const reveal = useReveal(containerRef)
  const [isOpen, setIsOpen] = useOpening<true>()
  const close = () => setIsOpen(null)
  const popoverId = useId()
  const userInputs = visibleFieldNames.map((visible) => fieldOf(fields, visible))
  const strength = useStrengthHint(password, userInputs)

  function toggle() {
    if (!reveal.shown && password) onReveal()
    reveal.toggle()
  }

  function accept(generated: string) {
    onGenerate(generated)
    close()
    reveal.show(true)
    containerRef.current?.querySelector('input')?.focus()
  }

  return (
    <div ref={containerRef} className={styles.field}>
      <PasswordInput
        {...inputProps}
        onChange={(event) => {
          strength.announceFromNow()
          // The next password must not be typed in clear.
          if (password && !event.target.value) reveal.show(false)
          inputProps.onChange?.(event)
        }}
        reveal={isLocked ? { shown: false } : { shown: reveal.shown, toggle }}
        autoComplete="new-password"
        onFocus={() => void StrengthHint.preload()}
        hint={strength.hint}
        extraButtons={
          <GeneratorButton popoverId={popoverId} isOpen={isOpen === true} onOpen={() => setIsOpen(true)} />
        }
      />
      {strength.liveRegion}
      <OnDemand onGiveUp={close}>
        {isOpen && (
          <PasswordGenerator id={popoverId} userInputs={userInputs} onSelect={accept} onClose={close} />
        )}
      </OnDemand>
    </div>
  )
}

interface GeneratorButtonProps {
  popoverId: string
  isOpen: boolean
  onOpen(): void
}

function GeneratorButton({ popoverId, isOpen, onOpen }: GeneratorButtonProps) {
  function open(event: MouseEvent) {
    // It may be open before the press has ended, which would then close it.
    event.preventDefault()
    onOpen()
  }

  return (
    <IconButton
      icon="wand-sparkles"
      aria-label={t('Generate password')}
      aria-expanded={isOpen}
      // Not a light dismiss followed by a click that opens it again.
      {...(isOpen ? { popoverTarget: popoverId, popoverTargetAction: 'hide' } : { onClick: open })}
    />
  )
}

/** The strength of the password. A record's own is not announced when its editing starts, but from when the user types. */
function useStrengthHint(password: string, userInputs: readonly string[]) {
  const [hasTyped, setHasTyped] = useState(false)
  const { liveRegion, announce } = useLiveRegion()
  const hint = password && (
    <OnDemand isOptional>
      <StrengthHint
        password={password}
        userInputs={userInputs}
        announce={(message) => hasTyped && announce(message)}
      />
    </OnDemand>
  )
  return { hint, liveRegion, announceFromNow: () => setHasTyped(true) }
}
