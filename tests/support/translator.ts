/**
 * Does what the translators of browsers do: replaces each text node by two `font` elements with the translation, here capitals,
 * now and whenever a text appears. Leaves out what is marked as not to be translated. Self-contained, to run in any page.
 */
export function startTranslator(): () => void {
  const fonts = new WeakSet<Node>()
  const isLeftOut = ({ parentElement: parent }: Node) =>
    !parent ||
    fonts.has(parent) ||
    parent.closest('script, style, textarea') !== null ||
    parent.closest('[translate]')?.getAttribute('translate') === 'no'

  function translate(root: Node) {
    if (!root.isConnected) return
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const found = root.nodeType === Node.TEXT_NODE ? [root as Text] : []
    while (texts.nextNode()) found.push(texts.currentNode as Text)
    for (const text of found) {
      if (isLeftOut(text) || text.data.trim() === '') continue
      const [outer, inner] = [document.createElement('font'), document.createElement('font')]
      for (const font of [outer, inner]) {
        font.style.verticalAlign = 'inherit'
        fonts.add(font)
      }
      inner.append(text.data.toUpperCase())
      outer.append(inner)
      text.replaceWith(outer)
    }
  }

  const observer = new MutationObserver((mutations) => {
    for (const { type, target, addedNodes } of mutations)
      for (const node of type === 'characterData' ? [target] : addedNodes) translate(node)
  })
  observer.observe(document, { subtree: true, childList: true, characterData: true })
  translate(document.body)
  return () => observer.disconnect()
}
