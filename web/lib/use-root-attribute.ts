import { useLayoutEffect } from 'react'

/**
 * Gives the root element an attribute without a value while a component is mounted and `isSet` is true, for style sheets that style
 * the page around the component. A selector such as `main:has(…)` would do the same, but makes the browser restyle the whole page
 * at each change of an element in it.
 */
export function useRootAttribute(name: `data-${string}`, isSet = true): void {
  useLayoutEffect(() => {
    if (!isSet) return
    document.documentElement.setAttribute(name, '')
    return () => document.documentElement.removeAttribute(name)
  }, [name, isSet])
}
