import type { ReactNode } from 'react'
import styles from './message.module.css'

interface MessageProps {
  /** `alert` interrupts a screen reader; `status` does not; `note` is not announced. */
  role: 'alert' | 'status' | 'note'
  /** Uses the colors of success instead of those of a warning. */
  isSuccess?: boolean
  children?: ReactNode
}

/** A message box. Its element is always rendered: a live region must exist before its content changes. */
export function Message({ role, isSuccess = false, children }: MessageProps) {
  return (
    <div role={role} className={`${styles.message} ${isSuccess ? styles.success : styles[role]}`}>
      {children}
    </div>
  )
}

/** A name within a sentence. A long one is cut, so that the rest of the sentence stays visible. */
export function Name({ children }: { children: string }) {
  return <bdi className={styles.name}>{children}</bdi>
}
