import { type ComponentType, use } from 'react'
import { LoadError } from './error-boundary.tsx'

/**
 * Makes a component of a chunk that can be preloaded, and loaded again after a failure: `React.lazy` can do neither. It suspends
 * while the chunk is loading.
 */
export function lazyPart<Name extends string, Props extends object>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
) {
  let loading: Promise<ComponentType<Props>> | null = null

  function allowRetry() {
    loading = null
  }

  function loadOnce() {
    if (loading) return loading
    const component = load().then(
      (chunk): ComponentType<Props> => chunk[name],
      (error) => {
        throw new LoadError(error, allowRetry)
      },
    )
    // React reads these fields: with them, a part that was preloaded renders without suspending.
    const setLoaded = (value: unknown) => void Object.assign(component, { status: 'fulfilled', value })
    component.then(setLoaded, () => {})
    loading = component
    return component
  }

  function Part(props: Props) {
    const Loaded = use(loadOnce())
    return <Loaded {...props} />
  }
  return Object.assign(Part, {
    /** Starts loading the chunk. Never rejects: rendering the part tries again and throws the error. */
    preload: () => loadOnce().then(() => {}, allowRetry),
  })
}
