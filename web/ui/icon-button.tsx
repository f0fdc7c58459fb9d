import type { ComponentProps } from 'react'
import buttonStyles from './button.module.css'
import iconStyles from './icon.module.css'
import type { IconName } from './icon.tsx'

interface IconButtonProps extends ComponentProps<'button'> {
  icon: IconName
  'aria-label': string
}

const ownClasses = `${buttonStyles.button} ${buttonStyles.icon} ${iconStyles.mask}`

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
