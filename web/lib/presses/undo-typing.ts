/**
 * Undoes what was typed, as the browser does. Returns false if there is nothing but what the page itself has emptied since: the
 * browser undoes that without any effect, one step after the other.
 */
export function undoTyping(): boolean {
  const before = readFields()
  for (let step = 0; step < maxSteps && document.execCommand('undo'); step++)
    if (readFields() !== before) return true
  return false
}

/** A browser may say that it has undone something when it has not. */
const maxSteps = 100

const readFields = () => Array.from(document.querySelectorAll('input'), ({ value }) => value).join()
