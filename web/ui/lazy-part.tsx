import {
  Children,
  type ComponentType,
  type ReactNode,
  Suspense,
  use,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { t } from '../language/translate.ts'
import { onReturn } from '../lib/dom.ts'
import { whenIdle } from '../lib/run-when-idle.ts'
import { Button } from './button.tsx'
import { ErrorBoundary, LoadError } from './error-boundary.tsx'
import styles from './lazy-part.module.css'

const preloads = new Set<() => Promise<unknown>>()

/** Makes a component of a chunk that can be preloaded, and loaded again after a failure: `React.lazy` can do neither. */
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
  /** Loads the chunk. Resolves with nothing if that fails, and never rejects: rendering the part tries again and throws the error. */
  const preload = () => loadOnce().catch(allowRetry)
  preloads.add(preload)
  return Object.assign(Part, { preload })
}

interface OnDemandProps {
  /** The lazy part while it is open, else null or false. */
  children: ReactNode
  /** Closes the part if it can't be loaded and the user does not want to try again. */
  onGiveUp?(): void
  /** The page works without the part, so nothing reports that it could not be loaded. It is loaded again once that may work. */
  isOptional?: boolean
}

/**
 * Renders a lazy part that opens on demand. Render `OnDemand` also while the part is closed, and set the state that opens
 * the part in a transition: outside of one, React shows the fallback, and replaces it after 300 ms at the earliest.
 */
export function OnDemand({ children, onGiveUp, isOptional = false }: OnDemandProps) {
  const [hasGivenUp, setHasGivenUp] = useState(false)
  const isOpen = Children.toArray(children).length > 0
  if (!isOpen && hasGivenUp) setHasGivenUp(false)

  function giveUp() {
    setHasGivenUp(true)
    onGiveUp?.()
  }

  return (
    <ErrorBoundary
      isActive={isOpen}
      renderLoadError={(retry) =>
        isOptional ? (
          <RetryOnReturn onRetry={retry} />
        ) : (
          !hasGivenUp && <PartFailure onRetry={retry} onGiveUp={giveUp} />
        )
      }
    >
      <Suspense fallback={null}>{children}</Suspense>
    </ErrorBoundary>
  )
}

function RetryOnReturn({ onRetry }: { onRetry(): void }) {
  useEffect(() => onReturn(onRetry), [onRetry])
  return null
}

/** Says that a part could not be loaded, next to what has the focus because it was pressed, until the user acts. */
function PartFailure({ onRetry, onGiveUp }: { onRetry(): void; onGiveUp(): void }) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const pressed = document.activeElement === document.body ? element.parentElement : document.activeElement
    const { left = 0, bottom = 0 } = pressed?.getBoundingClientRect() ?? {}
    element.showPopover()
    const { offsetLeft, offsetWidth, offsetHeight, style } = element
    const { clientWidth } = document.documentElement
    style.left = `${Math.max(offsetLeft, Math.min(left, clientWidth - offsetWidth - offsetLeft))}px`
    style.top = `${Math.max(8, Math.min(bottom + 8, innerHeight - offsetHeight - 8))}px`
  }, [])

  return (
    <div
      ref={box}
      // Escape and a press outside close it.
      popover="auto"
      role="alert"
      className={styles.failure}
      onToggle={({ newState }) => newState === 'closed' && onGiveUp()}
    >
      <p>{t('This part of the page didn’t load. Check your connection or reload.')}</p>
      <Button onClick={onRetry}>{t('Try again')}</Button>
      <Button variant="ghost" onClick={onGiveUp}>
        {t('Close')}
      </Button>
    </div>
  )
}

/**
 * Loads the chunks of all parts that the loaded code may show, one after the other while the browser is idle. Returns whether all are
 * loaded.
 */
export async function preloadParts(signal: AbortSignal): Promise<boolean> {
  let areLoaded = true
  // A set can grow while it is iterated: a part may have parts of its own.
  for (const preload of preloads) {
    await whenIdle()
    if (signal.aborted) return false
    if (!(await preload())) areLoaded = false
  }
  return areLoaded
}
