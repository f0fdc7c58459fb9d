import type { ReactNode } from 'react'
import { useHref, useLinkClickHandler } from 'react-router'

interface LinkProps {
  to: string
  /** The `location.state` of the target route. */
  state?: unknown
  className?: string | undefined
  children: ReactNode
}

/** A link to another route. React Router's `Link` adds 3 KB (gzip) of code for prefetching, which this page does not use. */
export function Link({ to, state, className, children }: LinkProps) {
  const handleClick = useLinkClickHandler<HTMLAnchorElement>(to, { state })
  return (
    <a href={useHref(to)} className={className} onClick={handleClick}>
      {children}
    </a>
  )
}
