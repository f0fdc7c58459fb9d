import { errors } from '../../contract/errors.ts'
import { removeMarks } from '../../web/lib/isolate.ts'
import { offlineError } from '../support/memory-services.ts'
import { account, ada, alan, grace, nameOf } from '../support/people.ts'

/** What `t` has returned, without marks and in small letters: a text may begin a sentence that has it elsewhere in another. */
const translated = new Set<string>()

const toComparable = (text: string) =>
  removeMarks(text)
    .replace(/^(● )?(\(.*?\)\S* )?(.*) · Staffbook$/, '$3')
    .trim()
    .toLowerCase()

/** Remembers a text in the page's language. */
export function addTranslated<Text>(text: Text): Text {
  translated.add(toComparable(String(text)))
  return text
}

/** What is not from `t`: dates, times, durations and lists of `Intl`, and the messages of the service, which is English here. */
const formatted =
  /^(\d{1,2} \w+( \d{4})?(, \d\d:\d\d)?|\d\d:\d\d|(in )?\d+ (second|minute|hour|day)s?( ago)?|today|yesterday|tomorrow|(\w+,? )?(\d{1,2} \w+|\w+ \d{1,2})(,? \d{4})?|(in )?\w+ \d{4})$/i
const messages = [...Object.values(errors).map(({ message }) => message), offlineError().message]
for (const message of messages) addTranslated(message)

const isKnown = (text: string) =>
  !/\p{L}/u.test(text) || formatted.test(text.trim()) || translated.has(toComparable(text))

/** Whether a text was translated as a whole or as items of a list, alone or as part of the sentence around it. */
function isFromCatalog(text: string, element: Element | null) {
  if (isTranslatedSentence(text) || element?.closest('kbd, code, textarea, style, script')) return true
  const around = [element, element?.parentElement, element?.parentElement?.parentElement]
  return around.some((parent) => parent && isTranslatedSentence(parent.textContent))
}

const isTranslatedSentence = (text: string) =>
  isKnown(text) || [' · ', / · |, | or | and /].some((separator) => text.split(separator).every(isKnown))

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
      if (isTranslated(node.parentElement) && !isFromCatalog(node.data, node.parentElement))
        report('not from `t`', node.parentNode, node.data)
    }
    if (!(node instanceof Element)) continue
    for (const name of ['aria-label', 'title', 'alt', 'placeholder']) {
      const text = node.getAttribute(name) ?? ''
      if (hasValue(text) && isTranslated(node)) report(`value in ${name}`, node, text)
      if (text !== node.textContent && !isFromCatalog(text, node))
        report(`${name} not from \`t\``, node, text)
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
