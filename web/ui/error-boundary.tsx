import { Component, type ReactNode, startTransition } from 'react'
import { t } from '../language/translate.ts'
import { Button } from './button.tsx'
import styles from './error-boundary.module.css'
import { Message } from './message.tsx'

/** The chunk of a part could not be loaded: there is no network, or the server has a newer version of the page. */
export class LoadError extends Error {
  /** Makes the part load its chunk again when it is next rendered. */
  readonly allowRetry: () => void

  constructor(cause: unknown, allowRetry: () => void) {
    super('A part of the page could not be loaded.', { cause })
    this.allowRetry = allowRetry
  }
}

interface FailureProps {
  message: string
  action?: string
  onAction?(): void
}

function Failure({ message, action = t('Reload'), onAction = () => location.reload() }: FailureProps) {
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
  const message = globalThis.crypto?.subtle
    ? t('The page stopped because of an error. Your unsaved changes are kept.')
    : t('The page stopped because of an error.')
  return <Failure message={message} />
}

/** Replaces the whole page if the browser lets it store nothing. */
export function StorageBlocked() {
  return (
    <Failure
      message={t(
        'Your browser blocks cookies and site data for this page. Allow them in the browser’s settings, then reload.',
      )}
    />
  )
}

interface ErrorBoundaryProps {
  children: ReactNode
  /** Renders what is shown if a lazy part could not be loaded; other errors are then left to a boundary above. */
  renderLoadError?: (retry: () => void) => ReactNode
  /** Setting it to false clears a failure. */
  isActive?: boolean
}

/** Catches the exceptions of all components below it, which React logs. A message replaces the children. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  static getDerivedStateFromProps({ isActive = true }: ErrorBoundaryProps) {
    return isActive ? null : { error: null }
  }

  override componentDidCatch(error: unknown) {
    if (error instanceof LoadError) error.allowRetry()
  }

  // In a transition, the message stays on the screen until the part is loaded.
  retry = () => startTransition(() => this.setState({ error: null }))

  override render() {
    const { error } = this.state
    const { children, renderLoadError } = this.props
    if (error === null) return children
    if (error instanceof LoadError) {
      if (renderLoadError) return renderLoadError(this.retry)
      return (
        <Failure
          message={t('This part of the page didn’t load. Check your connection or reload.')}
          action={t('Try again')}
          onAction={this.retry}
        />
      )
    }
    if (renderLoadError) throw error
    return <PageFailure />
  }
}
