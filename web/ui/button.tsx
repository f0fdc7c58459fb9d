import type { ComponentProps } from 'react'
import styles from './button.module.css'
import iconStyles from './icon.module.css'
import type { IconName } from './icon.tsx'

interface ButtonProps extends ComponentProps<'button'> {
  /** `primary`: a form's main action. `secondary`: any other. `ghost`: one that is rarely wanted, such as Cancel. */
  variant?: 'primary' | 'secondary' | 'ghost'
  /** Shows that its work takes a while. */
  isBusy?: boolean
  /** A press does nothing, any more or now. The button keeps its place and the focus. */
  isDone?: boolean
  /** `no`: there are values in its label. Its text is translated. */
  translate?: 'no'
}

export function Button(props: ButtonProps) {
  const { variant = 'secondary', type = 'button', isBusy, isDone, className, children, ...rest } = props
  return (
    <button
      type={type}
      className={[styles.button, styles[variant], isBusy && styles.busy, isDone && styles.done, className]
        .filter(Boolean)
        .join(' ')}
      {...rest}
      {...(isDone && { 'aria-disabled': true, onClick: () => {} })}
    >
      {rest.translate ? <span translate="yes">{children}</span> : children}
    </button>
  )
}

interface IconButtonProps extends ComponentProps<'button'> {
  icon: IconName
  'aria-label': string
}

const ownClasses = `${styles.button} ${styles.icon} ${iconStyles.mask}`

/** A button without text. Its icon is a pseudo-element instead of an element, because each row of the table has five. */
export function IconButton({ icon, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      className={className ? `${ownClasses} ${className}` : ownClasses}
      data-icon={icon}
      {...rest}
    />
  )
}
