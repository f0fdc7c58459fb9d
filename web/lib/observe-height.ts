/** Keeps a custom property of the page at an element's height. Returns a function that stops and removes the property. */
export function observeHeight(element: HTMLElement, property: `--${string}`): () => void {
  const { style } = document.documentElement
  let isObserving = true
  const update = () => isObserving && style.setProperty(property, `${element.offsetHeight}px`)
  update()
  // Later, because the property can resize other observed elements, which browsers report as an error of a loop.
  const observer = new ResizeObserver(() => requestAnimationFrame(update))
  observer.observe(element)
  return () => {
    isObserving = false
    observer.disconnect()
    style.removeProperty(property)
  }
}
