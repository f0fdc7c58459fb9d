/** Copies a text; false where this browser does not let the page. To be called while a press is being handled. */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text)
      return true
    }
  } catch {
    // Not allowed, or not in focus: the older way may still work.
  }
  return copyWithExecCommand(text)
}

/** The way that works on plain HTTP too. What is copied never stands in the page: only a stand-in is selected. */
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
