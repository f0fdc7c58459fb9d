import styles from './icon.module.css'

export type IconName =
  | 'arrow-down'
  | 'arrow-up'
  | 'copy'
  | 'download'
  | 'eye'
  | 'eye-off'
  | 'file-up'
  | 'key-round'
  | 'keyboard'
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
 * An icon, for the eye alone: what it stands beside has the words. Its shape comes from the style sheet, which costs the page
 * one element for each icon in each row, and no script.
 */
export function Icon({ name, className }: { name: IconName; className?: string | undefined }) {
  return (
    <span
      className={className ? `${styles.icon} ${className}` : styles.icon}
      data-icon={name}
      aria-hidden="true"
    />
  )
}
