import type { IconNode } from 'lucide'
import { createElement, type SVGAttributes } from 'react'

interface IconProps extends SVGAttributes<SVGSVGElement> {
  of: IconNode
}

/** An icon of Lucide, for the eye alone: what it stands beside has the words. */
export function Icon({ of, ...attributes }: IconProps) {
  return createElement(
    'svg',
    {
      viewBox: '0 0 24 24',
      width: 16,
      height: 16,
      fill: 'none',
      stroke: 'currentColor',
      strokeWidth: 2,
      strokeLinecap: 'round',
      strokeLinejoin: 'round',
      'aria-hidden': true,
      ...attributes,
    },
    ...of.map(([tag, shape]) => createElement(tag, shape)),
  )
}
