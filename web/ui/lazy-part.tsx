import { type ComponentType, use } from 'react'
import { LoadError } from './error-boundary.tsx'

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
