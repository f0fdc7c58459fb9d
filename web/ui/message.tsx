import type { ReactNode } from 'react'
import styles from './message.module.css'

interface MessageProps {
  /** `alert` interrupts a screen reader, `status` waits for its turn. */
  role: 'alert' | 'status'
  /** Something has succeeded: it looks like no warning. */
  isSuccess?: boolean
  children?: ReactNode
}

/** A line that comes and goes. Its box stays in the page, since a live region must be there before its words. */
export function Message({ role, isSuccess = false, children }: MessageProps) {
  return (
    <div role={role} className={`${styles.message} ${isSuccess ? styles.good : styles[role]}`}>
      {children}
    </div>
  )
}
