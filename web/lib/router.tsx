import {
  createContext,
  type MouseEvent,
  type ReactNode,
  startTransition,
  use,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useState,
} from 'react'
import { listen } from './dom.ts'

const readLocation = () => {
  const { pathname, search, hash } = location
  return { pathname, search, hash, state: history.state }
}

const LocationContext = createContext(readLocation())

/** Renders what depends on the address again when it changes, in a transition: what is shown stays until the next screen is loaded. */
export function LocationProvider({ children }: { children: ReactNode }) {
  const [current, setCurrent] = useState(readLocation)
  useLayoutEffect(
    () => listen(window, 'popstate', () => startTransition(() => setCurrent(readLocation()))),
    [],
  )
  return <LocationContext value={current}>{children}</LocationContext>
}

/** The address as it is rendered, and the state of its entry in the browser's history. */
export const useLocation = () => use(LocationContext)

interface NavigationOptions {
  /** Replaces the entry in the browser's history. */
  replace?: boolean
  state?: unknown
}

/** Goes to another address of this page. The browser keeps the state of its entry over a reload. */
export function navigate(to: string, { replace = false, state = null }: NavigationOptions = {}): void {
  if (replace) history.replaceState(state, '', to)
  else history.pushState(state, '', to)
  // The browser does so only for its Back and Forward buttons.
  dispatchEvent(new PopStateEvent('popstate', { state }))
}

interface LinkProps {
  to: string
  /** The state of the entry in the browser's history. */
  state?: unknown
  className?: string | undefined
  children: ReactNode
}

/** Goes to an address once it is rendered. */
export function Redirect({ to, state }: Pick<LinkProps, 'to' | 'state'>) {
  const go = useEffectEvent(() => navigate(to, { replace: true, state }))
  useEffect(() => go(), [])
  return null
}

/** A link within this page. */
export function Link({ to, state, className, children }: LinkProps) {
  function open(event: MouseEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    navigate(to, { state })
  }
  return (
    <a href={to} className={className} onClick={open}>
      {children}
    </a>
  )
}
