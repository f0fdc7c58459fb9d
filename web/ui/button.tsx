import type { ComponentProps } from 'react'
import styles from './button.module.css'

interface ButtonProps extends ComponentProps<'button'> {
  /** `primary`: a form's main action. `secondary`: any other. `ghost`: one that is rarely wanted, such as Cancel. */
  variant?: 'primary' | 'secondary' | 'ghost'
  /** Shows that its work takes a while. */
  isBusy?: boolean
}

export function Button({ variant = 'secondary', type = 'button', isBusy, className, ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      className={[styles.button, styles[variant], isBusy && styles.busy, className].filter(Boolean).join(' ')}
      {...rest}
    />
  )
}
