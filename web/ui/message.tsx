import { Children, isValidElement, type ReactNode } from 'react'
import { splitAtValues } from '../lib/isolate.ts'
import styles from './message.module.css'

interface MessageProps {
  /** `alert` interrupts a screen reader; `status` does not; `note` is not announced. */
  role: 'alert' | 'status' | 'note'
  /** Uses the colors of success instead of those of a warning. */
  isSuccess?: boolean
  children?: ReactNode
}

/** A message box. Its element is always rendered: a live region must exist before its content changes. */
export function Message({ role, isSuccess = false, children }: MessageProps) {
  return (
    <div role={role} className={`${styles.message} ${isSuccess ? styles.success : styles[role]}`}>
      <Text>{children}</Text>
    </div>
  )
}

/** A name within a sentence. A long one is cut, so that the rest of the sentence stays visible. */
export function Name({ children }: { children: string }) {
  return (
    <bdi className={styles.name} translate="no">
      {children}
    </bdi>
  )
}

/**
 * A text that changes, within an element that stays. React replaces it as a whole: a translator has replaced the text nodes that
 * React would change otherwise, so the old text would stay, or React would fail (facebook/react#11538). Values are not translated,
 * see `isolate`. Text that components among the children render is not known here; it needs a `Text` of its own.
 */
export function Text({ children }: { children?: ReactNode }) {
  const text = toText(children)
  return text === '' ? children : <span key={text}>{Children.map(children, renderValues)}</span>
}

function toText(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return `${node}`
  if (Array.isArray(node)) return node.map(toText).join('')
  return isValidElement<{ children?: ReactNode }>(node) ? toText(node.props.children) : ''
}

function renderValues(node: ReactNode): ReactNode {
  if (typeof node !== 'string') return node
  return splitAtValues(node).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: another message is another element
      <bdi key={index} translate="no">
        {part}
      </bdi>
    ),
  )
}
