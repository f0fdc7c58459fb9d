/** Keeps a custom property of the page at an element's height. Returns a function that stops and removes the property. */
export function observeHeight(element: HTMLElement, property: `--${string}`): () => void {
  const { style } = document.documentElement
  const update = () => style.setProperty(property, `${element.offsetHeight}px`)
  update()
  const observer = new ResizeObserver(update)
  observer.observe(element)
  return () => {
    observer.disconnect()
    style.removeProperty(property)
  }
}
