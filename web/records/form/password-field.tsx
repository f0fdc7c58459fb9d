import { type ComponentProps, useRef, useState } from 'react'
import type { EmployeeFields } from '../../../contract/employees.ts'
import { loadFailedMessage, useLazyModule } from '../../lib/use-lazy-module.ts'
import { useReveal } from '../../lib/use-reveal.ts'
import { Button } from '../../ui/button.tsx'
import type { Field } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import type { ShowToast } from '../../ui/toast.tsx'
import styles from './password-field.module.css'

interface PasswordFieldProps {
  fields: EmployeeFields
  inputProps: Omit<ComponentProps<typeof Field>, 'label'>
  onGenerate(password: string): void
  showToast: ShowToast
}

// Loaded when they are first wanted: most visits only read.
const loadStrengthHint = () => import('./strength-hint.tsx')
const loadGenerator = () => import('./password-generator.tsx')

/** The form's password: shown while typing if wanted, judged but never refused, made up on request. */
export function PasswordField({ fields, inputProps, onGenerate, showToast }: PasswordFieldProps) {
  const { eName, email, password } = fields
  const containerRef = useRef<HTMLDivElement>(null)
  const reveal = useReveal(containerRef)
  const [isOpen, setIsOpen] = useState(false)
  const hint = useLazyModule(loadStrengthHint, password !== '')
  const generator = useLazyModule(loadGenerator, isOpen, () => {
    setIsOpen(false)
    showToast(loadFailedMessage)
  })

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
        label="Password"
        secret={password}
        reveal={reveal}
        autoComplete="new-password"
        hint={password && hint && <hint.StrengthHint password={password} userInputs={[eName, email]} />}
        extraButtons={
          <Button
            variant="icon"
            aria-label="Generate one"
            title="Generate one that is hard to guess"
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
          >
            <Icon name="wand-sparkles" />
          </Button>
        }
      />
      {isOpen && generator && <generator.PasswordGenerator onSelect={acceptGenerated} />}
    </div>
  )
}
