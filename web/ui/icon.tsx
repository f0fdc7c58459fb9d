import styles from './icon.module.css'

export type IconName =
  | 'arrow-down'
  | 'arrow-up'
  | 'chevron-down'
  | 'circle-user-round'
  | 'clock'
  | 'copy'
  | 'download'
  | 'eye'
  | 'eye-off'
  | 'file-up'
  | 'log-out'
  | 'monitor'
  | 'moon'
  | 'pencil'
  | 'refresh-cw'
  | 'search'
  | 'sun'
  | 'trash'
  | 'upload'
  | 'wand-sparkles'
  | 'x'

/**
 * A decorative icon, hidden from assistive technology; `IconButton` is the button with nothing else. Icons are CSS masks,
 * which need no script and at most one element: inline SVG makes scrolling the table about 20% more expensive.
 */
export function Icon({ name, className }: { name: IconName; className?: string | undefined }) {
  return (
    <span
      className={`${styles.icon} ${styles.mask} ${className ?? ''}`}
      data-icon={name}
      aria-hidden="true"
    />
  )
}
