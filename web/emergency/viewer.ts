import { decryptRecords, type EmergencyContent, readCode, readEncrypted } from '../../contract/emergency.ts'
import '../inline/first-paint.js'
import { loadCatalog, t, translateLabel } from '../language/translate.ts'
import { copyAndClear } from '../lib/clear-clipboard.ts'
import { noAutofill } from '../lib/dom.ts'
import { isolate, removeMarks, splitAtValues } from '../lib/isolate.ts'
import { hasTerms } from '../lib/texts/has-terms.ts'
import { normalizeText, toSearchable } from '../lib/texts/normalize-text.ts'
import { formatTime } from '../lib/times/times.ts'
import css from './viewer.css?inline'

/** Rows that are rendered at once; more follow when the last one is near the viewport. */
const chunkSize = 100

/** A shown secret is hidden again after this time, in ms. */
const showDurationMs = 30_000

const mask = '••••••••'

/** Creates an element with properties and children. Text never becomes markup. */
function create<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...children)
  return element
}

/** Replaces the page below its heading. */
function show(...content: Node[]) {
  document.querySelector('main')?.replaceChildren(create('h1', {}, t('Emergency file')), ...content)
}

/** Asks for the code, until it opens the file. */
function askForCode(encrypted: Uint8Array) {
  const input = create('input', { id: 'code', dir: 'ltr', required: true })
  for (const [name, value] of Object.entries({ ...noAutofill, 'aria-describedby': 'hint' }))
    input.setAttribute(name, value)
  const problem = create('p', { className: 'problem', role: 'alert' })
  const form = create(
    'form',
    {},
    create('label', { htmlFor: 'code' }, t('Code')),
    input,
    create(
      'p',
      { id: 'hint' },
      t('26 letters and digits, on the paper that belongs to this file. Case and dashes don’t matter.'),
    ),
    problem,
    create('button', { className: 'primary' }, t('Open')),
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const key = readCode(input.value)
    const content = key && decryptRecords(encrypted, key)
    if (content) return showRecords(content)
    problem.textContent = key
      ? t('This code belongs to another file. Find the paper that was printed with this one.')
      : t('This is not a code. Compare each character with the paper.')
    input.select()
  })
  show(form)
  input.focus()
}

/** Shows a table that can be searched, except for its secrets. */
function showRecords({ createdAt, rows, ...content }: EmergencyContent) {
  const columns = content.columns.map((column) => ({ ...column, label: translateLabel(column.label) }))
  const isVisible = (_: string, index: number) => !columns[index]?.isSecret
  const searched = rows.map((row) => {
    const [name = '', ...others] = row.filter(isVisible)
    return toSearchable(name, others.join('\n'))
  })
  const status = create('p', { role: 'status' })
  const search = create('input', { type: 'search', id: 'search' })
  const headers = columns.map(({ label }) => create('th', { role: 'columnheader', scope: 'col' }, label))
  const body = create('tbody', { role: 'rowgroup' })
  const end = create('div')
  let found = rows

  const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && renderMore(), {
    rootMargin: '100%',
  })
  function renderMore(count = chunkSize) {
    const { length } = body.rows
    body.append(...found.slice(length, length + count).map((row) => createRow(row, columns, status)))
    observer.disconnect()
    if (body.rows.length < found.length) observer.observe(end)
  }

  search.addEventListener('input', () => {
    const terms = normalizeText(search.value).split(/\s+/u)
    found = rows.filter((_, index) => hasTerms(terms, searched[index]))
    body.replaceChildren()
    renderMore()
    status.textContent = search.value
      ? t('{count, number} of {total, number}', { count: found.length, total: rows.length })
      : ''
  })
  addEventListener('beforeprint', () => renderMore(Number.POSITIVE_INFINITY))
  show(
    create(
      'p',
      {},
      t('{count, plural, one {# record} other {# records}}, as of {time}', {
        count: rows.length,
        time: formatTime(createdAt),
      }),
    ),
    create(
      'div',
      { className: 'search' },
      create('label', { htmlFor: 'search' }, t('Search')),
      search,
      status,
    ),
    create(
      'table',
      { role: 'table' },
      create('thead', { role: 'rowgroup' }, create('tr', { role: 'row' }, ...headers)),
      body,
    ),
    end,
  )
  renderMore()
  search.focus()
}

/** The roles keep it a row where the style sheet shows it as a card. */
function createRow(row: string[], columns: EmergencyContent['columns'], status: HTMLElement) {
  const name = removeMarks(row[0] ?? '')
  const cells = columns.map(({ label, isSecret }, index) => {
    const text = row[index] ?? ''
    const value = create(
      'bdi',
      { className: isSecret ? 'secret' : '', translate: false },
      isSecret ? text && mask : removeMarks(text),
    )
    const copy = createButton(t('Copy'), t('Copy {field} of {name}', { field: label, name }), async () => {
      const isCopied = await copyAndClear(text, isSecret)
      const message = isCopied
        ? t('{field} of {name} copied.', { field: label, name: isolate(name) })
        : t('The browser did not allow to copy.')
      const parts = splitAtValues(message)
      status.replaceChildren(
        ...parts.map((part, index) => (index % 2 ? create('bdi', { translate: false }, part) : part)),
      )
    })
    const buttons = isSecret ? [createToggle(value, text, label, name), copy] : [copy]
    const content = create('div', {}, value, ...(text ? buttons : []))
    content.dataset.label = label
    return index === 0
      ? create('th', { role: 'rowheader', scope: 'row' }, content)
      : create('td', { role: 'cell' }, content)
  })
  return create('tr', { role: 'row' }, ...cells)
}

function createToggle(value: HTMLElement, secret: string, label: string, name: string) {
  let timer = 0
  let isShown = false
  const describe = (shown: boolean) =>
    shown
      ? ([t('Hide'), t('Hide {field} of {name}', { field: label, name })] as const)
      : ([t('Show'), t('Show {field} of {name}', { field: label, name })] as const)
  // Not by the text of the button, which a translator replaces.
  const toggle = (shown: boolean) => {
    isShown = shown
    clearTimeout(timer)
    if (isShown) timer = setTimeout(toggle, showDurationMs, false)
    value.textContent = isShown ? secret : mask
    const [action, ariaLabel] = describe(isShown)
    button.firstElementChild?.replaceChildren(action)
    button.ariaLabel = ariaLabel
  }
  const button = createButton(...describe(false), () => toggle(!isShown))
  return button
}

/** Its label has a name in it; only its text is translated. */
function createButton(text: string, ariaLabel: string, onClick: () => void) {
  const label = create('span', { translate: true }, text)
  const button = create('button', { type: 'button', ariaLabel, translate: false }, label)
  button.addEventListener('click', onClick)
  return button
}

const style = new CSSStyleSheet()
style.replaceSync(css)
document.adoptedStyleSheets = [style]
await loadCatalog()
const encrypted = readEncrypted(document.getElementById('records')?.textContent ?? '')
if (encrypted) askForCode(encrypted)
else
  show(
    create(
      'p',
      { className: 'problem', role: 'alert' },
      t('This file is incomplete or was changed. Use another copy of it.'),
    ),
  )
