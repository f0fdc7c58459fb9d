import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { neverFill } from '../ui/never-fill.ts'
import { useSecretValue } from '../ui/secret-value.ts'
import styles from './employee-table.module.css'

interface PasswordCellProps {
  name: string
  password: string
}

/** A disabled field with an eye for this row only. A row that scrolls out of the page comes back masked. */
export function PasswordCell({ name, password }: PasswordCellProps) {
  const [shown, setShown] = useState(false)
  const input = useSecretValue(password)

  return (
    <span className={styles.secret}>
      <input
        ref={input}
        className={styles.password}
        type={shown ? 'text' : 'password'}
        aria-label={`Password of ${name}`}
        disabled
        {...neverFill}
      />
      <Button
        look="icon"
        aria-label={`Show password of ${name}`}
        aria-pressed={shown}
        title={shown ? 'Hide password' : 'Show password'}
        onClick={() => setShown(!shown)}
      >
        {shown ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
      </Button>
    </span>
  )
}
