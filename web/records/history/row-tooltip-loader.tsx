import { startTransition, useEffect, useState } from 'react'
import { lazyPart, OnDemand } from '../../ui/lazy-part.tsx'
import type { RowTooltipProps } from './row-tooltip.tsx'

const RowTooltip = lazyPart(() => import('./row-tooltip.tsx').then((module) => module.RowTooltip))

/** Loads the tooltip when the pointer or the focus first comes to the rows. They do without it if it can't be loaded. */
export function RowTooltipLoader(props: RowTooltipProps) {
  const { container } = props
  const [isNeeded, setNeeded] = useState(false)

  useEffect(() => {
    const element = container.current
    const load = () => startTransition(() => setNeeded(true))
    for (const type of ['pointerenter', 'focusin']) element?.addEventListener(type, load)
    return () => {
      for (const type of ['pointerenter', 'focusin']) element?.removeEventListener(type, load)
    }
  }, [container])

  return <OnDemand onLoadError={() => setNeeded(false)}>{isNeeded && <RowTooltip {...props} />}</OnDemand>
}
