import { Children, type ReactNode, Suspense } from 'react'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { loadFailed } from '../ui/messages.ts'
import { useToast } from '../ui/toast.tsx'

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
