import { Component, type ComponentType, type ReactNode, startTransition, use } from 'react'
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

/** Makes a component of a chunk that can be preloaded, and loaded again after a failure: `React.lazy` can do neither. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  let loading: Promise<ComponentType<Props>> | null = null
  let Loaded: ComponentType<Props> | null = null

  function allowRetry() {
    loading = null
  }

  function loadOnce() {
    loading ??= load().then(
      (component) => {
        Loaded = component
        return component
      },
      (error: unknown) => {
        throw new LoadError(error, allowRetry)
      },
    )
    return loading
  }

  function Part(props: Props) {
    const Component = Loaded ?? use(loadOnce())
    return <Component {...props} />
  }
  return Object.assign(Part, { preload: () => loadOnce().then(() => {}, allowRetry) })
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
