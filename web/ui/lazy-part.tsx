import {
  Children,
  Component,
  type ComponentType,
  type ReactNode,
  Suspense,
  startTransition,
  use,
} from 'react'
import { Button } from './button.tsx'
import styles from './lazy-part.module.css'
import { Message } from './message.tsx'
import * as messages from './messages.ts'

/** The chunk of a part could not be loaded: there is no network, or the server has a newer version of the page. */
class LoadError extends Error {
  /** Makes the part load its chunk again when it is next rendered. */
  readonly allowRetry: () => void

  constructor(cause: unknown, allowRetry: () => void) {
    super('A part of the page could not be loaded.', { cause })
    this.allowRetry = allowRetry
  }
}

/** A component that suspends while its chunk is loading. */
export type LazyPart<Props> = ComponentType<Props> & {
  /** Starts loading the chunk. Never rejects: rendering the part tries again and throws the error. */
  preload(): Promise<void>
}

/**
 * Like `React.lazy`, for a component that can be preloaded, and loaded again after a failure. Once it is loaded it renders
 * without suspending.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  let loading: Promise<ComponentType<Props>> | null = null
  let loaded: ComponentType<Props> | null = null

  function forget() {
    loading = null
  }

  // A rejected promise is kept until its error is handled: a part that is rendered again must throw the same error.
  function loadOnce() {
    loading ??= load().then(
      (component) => {
        loaded = component
        return component
      },
      (error: unknown) => {
        throw new LoadError(error, forget)
      },
    )
    return loading
  }

  function Part(props: Props) {
    const Loaded = loaded ?? use(loadOnce())
    return <Loaded {...props} />
  }
  return Object.assign(Part, { preload: () => loadOnce().then(() => {}, forget) })
}

interface LoadErrorBoundaryProps {
  children: ReactNode
  /** Handles the failure. Without it, a message with a Try again button replaces the children. */
  onLoadError?: (() => void) | undefined
  /** Setting it to false clears a failure. */
  isActive?: boolean
}

/** Catches the failures of the lazy parts below it, and no other errors. */
export class LoadErrorBoundary extends Component<LoadErrorBoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  static getDerivedStateFromProps({ isActive = true }: LoadErrorBoundaryProps) {
    return isActive ? null : { error: null }
  }

  override componentDidCatch(error: unknown) {
    if (!(error instanceof LoadError)) return
    error.allowRetry()
    this.props.onLoadError?.()
  }

  // In a transition, the message stays on the screen until the part is loaded.
  retry = () => startTransition(() => this.setState({ error: null }))

  override render() {
    const { error } = this.state
    if (error === null) return this.props.children
    if (!(error instanceof LoadError)) throw error
    if (this.props.onLoadError) return null
    return (
      <main className={styles.failed}>
        <Message role="alert">{messages.loadFailed}</Message>
        <Button variant="primary" onClick={this.retry}>
          {messages.tryAgain}
        </Button>
      </main>
    )
  }
}

interface OnDemandProps {
  /** The lazy part while it is open, else null or false. */
  children: ReactNode
  onLoadError(): void
}

/**
 * Renders a lazy part that opens on demand. Render `OnDemand` also while the part is closed, and set the state that opens
 * the part in a transition: outside of one, React shows the fallback, and replaces it after 300 ms at the earliest.
 */
export function OnDemand({ children, onLoadError }: OnDemandProps) {
  return (
    <LoadErrorBoundary isActive={Children.toArray(children).length > 0} onLoadError={onLoadError}>
      <Suspense fallback={null}>{children}</Suspense>
    </LoadErrorBoundary>
  )
}
