import { Children, Fragment, isValidElement, type ReactNode } from 'react'
import { splitAtValues } from '../lib/isolate.ts'
import styles from './message.module.css'

/** How long, in ms, what is told of something that has just happened stays on the page. */
export const messageDurationMs = 5_000

interface MessageProps {
  /** `alert` interrupts a screen reader; `status` does not; `note` is not announced. */
  role: 'alert' | 'status' | 'note'
  /** Uses the colors of success instead of those of a warning. */
  isSuccess?: boolean
  /** For `aria-describedby`. */
  id?: string
  children?: ReactNode
}

/** A message box. Its element is always rendered: a live region must exist before its content changes. */
export function Message({ role, isSuccess = false, id, children }: MessageProps) {
  return (
    <div role={role} id={id} className={`${styles.message} ${isSuccess ? styles.success : styles[role]}`}>
      <Text>{children}</Text>
    </div>
  )
}

interface TextProps {
  children?: ReactNode
  /** Renders a value, such as with `cutName`. */
  renderValue?: (value: string) => ReactNode
}

/** A name within a sentence. A long one is cut, so that the rest of the sentence stays visible. */
export function Name({ children }: { children: string }) {
  return (
    <bdi className={styles.name} translate="no">
      {children}
    </bdi>
  )
}

export const cutName = (name: string) => <Name>{name}</Name>

/** Renders a part of a `Text` for screen readers only. */
export const renderHidden = (part: string) => <span className="visually-hidden">{part}</span>

/**
 * A text that changes, within an element that stays. React replaces it as a whole: a translator has replaced the text nodes that
 * React would change otherwise, so the old text would stay, or React would fail (facebook/react#11538). Values are not translated,
 * see `isolate`. Text that components among the children render is not known here; it needs a `Text` of its own.
 */
export function Text({ children, renderValue = renderWhole }: TextProps) {
  const text = toText(children)
  if (text === '') return children
  return <span key={text}>{Children.map(children, (node) => renderValues(node, renderValue))}</span>
}

const renderWhole = (value: string) => <bdi translate="no">{value}</bdi>

function toText(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return `${node}`
  if (Array.isArray(node)) return node.map(toText).join('')
  return isValidElement<{ children?: ReactNode }>(node) ? toText(node.props.children) : ''
}

function renderValues(node: ReactNode, renderValue: (value: string) => ReactNode): ReactNode {
  if (typeof node !== 'string') return node
  return splitAtValues(node).map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: another message is another element
    index % 2 === 0 ? part : <Fragment key={index}>{renderValue(part)}</Fragment>,
  )
}
