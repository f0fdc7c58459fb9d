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
  return copyByCommand(text)
}

/** The way that works on plain HTTP too. What is copied never stands in the page: only a stand-in is selected. */
function copyByCommand(text: string): boolean {
  const focused = document.activeElement
  const standIn = document.createElement('span')
  standIn.textContent = '·'
  standIn.className = 'visually-hidden'
  document.body.append(standIn)
  let copied = false
  const put = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    event.stopImmediatePropagation()
    copied = event.clipboardData !== null
  }
  document.addEventListener('copy', put, { capture: true })
  try {
    getSelection()?.selectAllChildren(standIn)
    return document.execCommand('copy') && copied
  } finally {
    document.removeEventListener('copy', put, { capture: true })
    getSelection()?.removeAllRanges()
    standIn.remove()
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  }
}
