/** Copies a text; resolves to false if the browser refuses. Call it from a handler of a user gesture. */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text)
      return true
    }
  } catch {
    // Not permitted or not focused; `execCommand` may still work.
  }
  return copyWithExecCommand(text)
}

/** Works on plain HTTP too. Selects a placeholder, so that the text itself never appears in the document. */
function copyWithExecCommand(text: string): boolean {
  const focused = document.activeElement
  const placeholder = document.createElement('span')
  placeholder.textContent = '·'
  placeholder.className = 'visually-hidden'
  document.body.append(placeholder)
  let hasCopied = false
  const handleCopy = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    event.stopImmediatePropagation()
    hasCopied = event.clipboardData !== null
  }
  document.addEventListener('copy', handleCopy, { capture: true })
  try {
    getSelection()?.selectAllChildren(placeholder)
    return document.execCommand('copy') && hasCopied
  } finally {
    document.removeEventListener('copy', handleCopy, { capture: true })
    getSelection()?.removeAllRanges()
    placeholder.remove()
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  }
}

/** Copies a selected line without the line break or tab that the browser adds where a cell ends. */
export function copyLine(event: Pick<ClipboardEvent, 'preventDefault' | 'clipboardData'>): void {
  const text = getSelection()?.toString() ?? ''
  const line = text.replaceAll(/^[\n\r\t]+|[\n\r\t]+$/g, '')
  if (line === text || line === '' || /[\n\r\t]/.test(line)) return
  event.preventDefault()
  event.clipboardData?.setData('text/plain', line)
}
