import { type ComponentProps, useRef, useState } from 'react'
import type { EmployeeFields } from '../../../contract/employees.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { Say } from '../../ui/notice.tsx'
import { useReveal } from '../../ui/reveal.ts'
import { partIsMissing, usePart } from '../../ui/use-part.ts'
import styles from './password-field.module.css'

interface PasswordFieldProps {
  fields: EmployeeFields
  input: Omit<ComponentProps<typeof Field>, 'label'>
  onUse(password: string): void
  say: Say
}

// Loaded when they are first wanted: most visits only read.
const loadHint = () => import('./strength-hint.tsx')
const loadPanel = () => import('./generator-panel.tsx')

/** The form's password: shown while typing if wanted, judged but never refused, made up on request. */
export function PasswordField({ fields, input, onUse, say }: PasswordFieldProps) {
  const { eName, email, password } = fields
  const area = useRef<HTMLDivElement>(null)
  const { shown, show, toggle } = useReveal(area)
  const [isOpen, setIsOpen] = useState(false)
  const hint = usePart(loadHint, password !== '')
  const panel = usePart(loadPanel, isOpen, () => {
    setIsOpen(false)
    say(partIsMissing)
  })

  function use(generated: string) {
    onUse(generated)
    setIsOpen(false)
    show(true)
    area.current?.querySelector('input')?.focus()
  }

  return (
    <div ref={area} className={styles.password}>
      <Field
        {...input}
        label="Password"
        type={shown ? 'text' : 'password'}
        spellCheck={false}
        secret={password}
        autoComplete="new-password"
        hint={password && hint && <hint.StrengthHint password={password} known={[eName, email]} />}
      />
      <span className={styles.buttons}>
        <Button
          look="icon"
          aria-label="Generate one"
          title="Generate one that is hard to guess"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          <Icon name="wand-sparkles" />
        </Button>
        <Button
          look="icon"
          aria-label="Show what I type"
          title="Show what I type"
          aria-pressed={shown}
          onClick={toggle}
        >
          <Icon name={shown ? 'eye-off' : 'eye'} />
        </Button>
      </span>
      {isOpen && panel && <panel.GeneratorPanel onUse={use} />}
    </div>
  )
}
