import { Children, type ComponentType, type ReactNode, Suspense, use } from 'react'
import { ErrorBoundary, LoadError } from './error-boundary.tsx'
import { loadFailed } from './messages.ts'
import { useToast } from './toast.tsx'

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

interface OnDemandProps {
  /** The lazy part while it is open, else null or false. */
  children: ReactNode
  onLoadError?(): void
  /** The page works without the part, so no toast reports that it could not be loaded. */
  isOptional?: boolean
}

/**
 * Renders a lazy part that opens on demand. Render `OnDemand` also while the part is closed, and set the state that opens
 * the part in a transition: outside of one, React shows the fallback, and replaces it after 300 ms at the earliest.
 */
export function OnDemand({ children, onLoadError, isOptional = false }: OnDemandProps) {
  const showToast = useToast()

  function handleLoadError() {
    onLoadError?.()
    if (!isOptional) showToast(loadFailed)
  }

  return (
    <ErrorBoundary isActive={Children.toArray(children).length > 0} onLoadError={handleLoadError}>
      <Suspense fallback={null}>{children}</Suspense>
    </ErrorBoundary>
  )
}
