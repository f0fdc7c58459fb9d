import { copyText } from './clipboard.ts'
import { listen } from './dom.ts'

/** A copied secret is cleared after this time, in ms. */
const clearDelayMs = 60_000

/** What was copied elsewhere is told once the page has the focus again, within this time, in ms. */
const changeDelayMs = 500

/** There is one clipboard, and so at most one secret to clear. */
let scheduled: ReturnType<typeof scheduleClear> | null = null

/** Copies a text as `copyText` does. A secret is cleared later: see `scheduleClear`. */
export async function copyAndClear(text: string, isSecret: boolean): Promise<boolean> {
  const isCopied = await copyText(text)
  scheduled?.cancel()
  scheduled = isCopied && isSecret ? scheduleClear(text) : null
  return isCopied
}

/** Clears the copied secret at once, or when the page next gets the focus. */
export function clearCopiedSecret(): void {
  void scheduled?.clearNow()
}

/**
 * Clears a copied secret from the clipboard after `clearDelayMs`, or when the page next gets the focus. Browsers allow it
 * only in a secure context (HTTPS or localhost). Does not clear text that was copied later, if the page can detect that: by reading, or
 * where the browser tells that the clipboard has changed (Chrome).
 * Returns functions that cancel the clearing, and that do it earlier.
 */
function scheduleClear(secret: string) {
  const cancellation = new AbortController()
  const { signal } = cancellation
  const tellsChanges = navigator.clipboard !== undefined && 'onclipboardchange' in navigator.clipboard
  const cancel = () => cancellation.abort()

  async function clear() {
    const content = await readClipboardIfAllowed()
    // If nothing tells, clear it at the first attempt only: later the user may have copied something elsewhere.
    const canClear = content === undefined ? isFirstAttempt || tellsChanges : content === secret
    if (signal.aborted || !canClear) return cancel()
    const write = () => navigator.clipboard?.writeText('').then(cancel, () => {})
    void write()
    // Firefox and Safari may allow it only in a gesture. Elsewhere the user may copy something.
    const stop = listen(window, 'keydown pointerup', write)
    addEventListener('blur', stop, { signal })
    signal.addEventListener('abort', stop)
  }

  async function clearNow() {
    clearTimeout(timer)
    if (document.hasFocus()) await clear()
    if (signal.aborted) return
    const clearOnReturn = () => setTimeout(clear, tellsChanges ? changeDelayMs : 0)
    addEventListener('focus', clearOnReturn, { signal })
  }

  let isFirstAttempt = true
  const timer = setTimeout(async () => {
    await clearNow()
    isFirstAttempt = false
  }, clearDelayMs)
  signal.addEventListener('abort', () => clearTimeout(timer))
  for (const event of ['copy', 'cut']) document.addEventListener(event, cancel, { signal })
  // The first change is that of the secret.
  let isChanged = false
  const handleChange = () => {
    if (isChanged) cancel()
    isChanged = true
  }
  navigator.clipboard?.addEventListener('clipboardchange', handleChange, { signal })
  return { cancel, clearNow }
}

/** The clipboard's text if the user has already permitted reading it; never prompts. */
async function readClipboardIfAllowed(): Promise<string | undefined> {
  try {
    const { state } = await navigator.permissions.query({ name: 'clipboard-read' as PermissionName })
    return state === 'granted' ? await navigator.clipboard.readText() : undefined
  } catch {
    return undefined
  }
}
