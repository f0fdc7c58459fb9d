import { type ComponentProps, useRef, useState } from 'react'
import type { EmployeeFields } from '../../../contract/employees.ts'
import { partIsMissing, usePart } from '../../lib/use-part.ts'
import { useReveal } from '../../lib/use-reveal.ts'
import { Button } from '../../ui/button.tsx'
import type { Field } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { SecretField } from '../../ui/password-input.tsx'
import type { Say } from '../../ui/toast.tsx'
import styles from './password-field.module.css'

interface PasswordFieldProps {
  fields: EmployeeFields
  input: Omit<ComponentProps<typeof Field>, 'label'>
  onUse(password: string): void
  say: Say
}

// Loaded when they are first wanted: most visits only read.
const loadHint = () => import('./strength-hint.tsx')
const loadPanel = () => import('./password-generator.tsx')

/** The form's password: shown while typing if wanted, judged but never refused, made up on request. */
export function PasswordField({ fields, input, onUse, say }: PasswordFieldProps) {
  const { eName, email, password } = fields
  const area = useRef<HTMLDivElement>(null)
  const reveal = useReveal(area)
  const [isOpen, setIsOpen] = useState(false)
  const hint = usePart(loadHint, password !== '')
  const panel = usePart(loadPanel, isOpen, () => {
    setIsOpen(false)
    say(partIsMissing)
  })

  function use(generated: string) {
    onUse(generated)
    setIsOpen(false)
    reveal.show(true)
    area.current?.querySelector('input')?.focus()
  }

  return (
    <div ref={area} className={styles.field}>
      <SecretField
        {...input}
        label="Password"
        secret={password}
        reveal={reveal}
        autoComplete="new-password"
        hint={password && hint && <hint.StrengthHint password={password} known={[eName, email]} />}
        buttons={
          <Button
            look="icon"
            aria-label="Generate one"
            title="Generate one that is hard to guess"
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
          >
            <Icon name="wand-sparkles" />
          </Button>
        }
      />
      {isOpen && panel && <panel.GeneratorPanel onUse={use} />}
    </div>
  )
}
