/** Whether the element's full height is inside the viewport. */
export function isInViewport(element: Element | null | undefined): boolean {
  if (!element) return false
  const { top, bottom } = element.getBoundingClientRect()
  return top >= 0 && bottom <= innerHeight
}
