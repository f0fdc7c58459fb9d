import { Component, type ComponentType, lazy, type ReactNode, startTransition, useState } from 'react'
import { Failure } from './error-boundary.tsx'
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
 * `React.lazy` for a component that can be preloaded, and loaded again after a failure. Once it is loaded it renders
 * without suspending.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  let loading: Promise<ComponentType<Props>> | null = null
  let loadedComponent: ComponentType<Props> | null = null
  let LazyComponent = createLazy()

  // `React.lazy` caches a rejected promise, so each retry needs a new lazy component.
  function createLazy() {
    return lazy(async () => ({ default: await loadOnce() })) as unknown as ComponentType<Props>
  }

  function loadOnce() {
    loading ??= load().then(
      (component) => {
        loadedComponent = component
        return component
      },
      (error: unknown) => {
        loading = null
        throw new LoadError(error, () => {
          LazyComponent = createLazy()
        })
      },
    )
    return loading
  }

  function Part(props: Props) {
    // State, because a change of the component type would remount the part.
    const [Loaded] = useState(() => loadedComponent ?? LazyComponent)
    return <Loaded {...props} />
  }
  const ignore = () => {}
  return Object.assign(Part, { preload: () => loadOnce().then(ignore, ignore) })
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
    return <Failure message={messages.loadFailed} action={messages.tryAgain} onAction={this.retry} />
  }
}
