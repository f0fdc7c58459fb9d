import { Component, type ReactNode } from 'react'
import { Button } from './button.tsx'
import styles from './error-boundary.module.css'
import { Message } from './message.tsx'
import * as messages from './messages.ts'

interface FailureProps {
  message: ReactNode
  action: string
  onAction(): void
}

/** Replaces what failed. */
export function Failure({ message, action, onAction }: FailureProps) {
  return (
    <main className={styles.failed}>
      <Message role="alert">{message}</Message>
      <Button variant="primary" onClick={onAction}>
        {action}
      </Button>
    </main>
  )
}

/** Replaces the page after an exception in it. What is unsaved was stored, unless the browser can't encrypt. */
export function PageFailure() {
  const message = globalThis.crypto?.subtle ? messages.pageFailedKept : messages.pageFailed
  return <Failure message={message} action={messages.reload} onAction={() => location.reload()} />
}

/** Catches the exceptions of all components below it. React logs them. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render() {
    return this.state.hasFailed ? <PageFailure /> : this.props.children
  }
}
