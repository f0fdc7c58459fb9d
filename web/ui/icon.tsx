import styles from './icon.module.css'
import logoStyles from './logo.module.css'

export type IconName =
  | 'arrow-down'
  | 'arrow-up'
  | 'arrow-up-down'
  | 'at-sign'
  | 'chevron-down'
  | 'circle-help'
  | 'circle-user-round'
  | 'copy'
  | 'download'
  | 'ellipsis'
  | 'eye'
  | 'eye-off'
  | 'file-up'
  | 'globe'
  | 'history'
  | 'keyboard'
  | 'lock'
  | 'log-out'
  | 'monitor'
  | 'moon'
  | 'pencil'
  | 'plus'
  | 'refresh-cw'
  | 'search'
  | 'send'
  | 'sun'
  | 'trash'
  | 'undo-2'
  | 'upload'
  | 'users'
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

export function Logo() {
  return (
    <span className={logoStyles.logo} translate="no">
      <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
        <rect x="3" y="2" width="18" height="20" rx="4" fill="var(--accent)" />
        <path
          d="M8 8h8M8 16h5"
          stroke="var(--on-accent)"
          strokeOpacity=".65"
          strokeWidth="1.8"
          strokeLinecap="round"
        />
        <path d="M8 12h8" stroke="var(--on-accent)" strokeWidth="2.2" strokeLinecap="round" />
      </svg>
      Staffbook
    </span>
  )
}
