import { account, ada, alan, grace, nameOf } from '../support/people.ts'

/** The faults since the last call of `takeTextFaults`. */
const faults = new Set<string>()

/**
 * React renders a text beside other children as a node of its own, which it later changes, removes, or inserts others before. It
 * knows such a node by a field. The text of an element without other children is safe: React sets the element's content.
 */
const isShared = (node: Node | null): node is Text =>
  node instanceof Text && Object.keys(node).some((key) => key.startsWith('__reactFiber$'))

const values = [ada, grace, alan].flatMap((person) => [nameOf(person), person.email])
const secrets = [account, ada, grace].map(({ password }) => password)

/** Whether a text has a value of a record or an account in it. Nothing else on the page looks like an email. */
const hasValue = (text: string) => /\w@\w/.test(text) || values.some((value) => text.includes(value))

const isTranslated = (element: Element | null) =>
  element?.closest('[translate]')?.getAttribute('translate') !== 'no'

function findValues(root: Node) {
  const nodes = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
  for (let node: Node | null = root; node; node = nodes.nextNode()) {
    if (node instanceof Text) {
      if (secrets.some((secret) => node.data.includes(secret)) && !node.parentElement?.closest('textarea'))
        report('secret', node.parentNode, node.data)
      if (hasValue(node.data) && isTranslated(node.parentElement)) report('value', node.parentNode, node.data)
    }
    if (!(node instanceof Element) || !isTranslated(node)) continue
    for (const name of ['aria-label', 'title', 'alt', 'placeholder']) {
      const text = node.getAttribute(name) ?? ''
      if (hasValue(text)) report(`value in ${name}`, node, text)
    }
  }
}

const report = (fault: string, parent: Node | null, text: string) =>
  faults.add(`${fault} “${text}” in ${(parent as Element | null)?.outerHTML?.slice(0, 300)}`)

function check(mutations: MutationRecord[]) {
  for (const mutation of mutations) {
    const { type, target, addedNodes } = mutation
    // A translator changes nothing there.
    if (isTranslated(target instanceof Element ? target : target.parentElement)) checkTexts(mutation)
    for (const node of type === 'childList' ? addedNodes : [target]) if (node.isConnected) findValues(node)
  }
}

function checkTexts({ type, target, oldValue, addedNodes, removedNodes, nextSibling }: MutationRecord) {
  if (type !== 'childList' && isShared(target))
    report('changed', target.parentNode, `${oldValue}” to “${target.data}`)
  for (const node of removedNodes) if (isShared(node)) report('removed', target, node.data)
  for (const node of addedNodes) if (isShared(node)) report('added', target, node.data)
  if (addedNodes.length > 0 && isShared(nextSibling)) report('inserted before', target, nextSibling.data)
}

const observer = new MutationObserver(check)
const attributeFilter = ['aria-label', 'title', 'alt', 'placeholder', 'translate']
const kinds = { childList: true, characterData: true, characterDataOldValue: true }

export function watchTexts(): void {
  observer.observe(document, { subtree: true, attributeFilter, ...kinds })
}

/**
 * Stops, and returns the texts that fail while a browser translates the page: those that React changes although a translator has
 * replaced them, and the values of records and accounts that a translator is given.
 */
export function takeTextFaults(): string[] {
  check(observer.takeRecords())
  observer.disconnect()
  const found = [...faults]
  faults.clear()
  return found
}
