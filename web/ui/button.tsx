import type { ButtonHTMLAttributes } from 'react'
import styles from './button.module.css'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `primary`: the one thing a form is for. `quiet`: beside it. `icon`: in a row, named by its `aria-label`. */
  look?: 'primary' | 'quiet' | 'icon'
}

export function Button({ look = 'quiet', type = 'button', className, ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      className={[styles.button, styles[look], className].filter(Boolean).join(' ')}
      {...rest}
    />
  )
}
