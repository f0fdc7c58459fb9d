import styles from './logo.module.css'
import { product } from './messages.ts'

/** The logo with the product's name. */
export function Logo() {
  return (
    <span className={styles.logo}>
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
      {product}
    </span>
  )
}
