import type { ReactNode } from 'react'
import { useHref, useLinkClickHandler } from 'react-router'

interface LinkProps {
  to: string
  /** What the screen that it leads to is told. */
  state?: unknown
  children: ReactNode
}

/** A way to another screen. React Router's own `Link` brings along what prefetches pages of a server: 3 KB. */
export function Link({ to, state, children }: LinkProps) {
  const handleClick = useLinkClickHandler<HTMLAnchorElement>(to, { state })
  return (
    <a href={useHref(to)} onClick={handleClick}>
      {children}
    </a>
  )
}
