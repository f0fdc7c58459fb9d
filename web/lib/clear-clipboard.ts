/** A copied secret is cleared after this time, in ms. */
const clearDelayMs = 60_000

interface ClipboardClear {
  cancel(): void
  /** Clears the secret at once, or when the page next gets the focus. */
  clearNow(): Promise<void>
}

/** The clearing of the secret that was copied last. */
let scheduled: ClipboardClear | null = null

/** Clears the secret that was copied last, at once or when the page next gets the focus. */
export const clearCopiedSecret = () => scheduled?.clearNow()

/** To be called after each copy by the page, because it has replaced the secret before. `secret` is null if it was none. */
export function setCopiedSecret(secret: string | null): void {
  scheduled?.cancel()
  scheduled = secret === null ? null : scheduleClear(secret)
}

/**
 * Clears a copied secret from the clipboard after `clearDelayMs`, or when the page next gets the focus. Browsers allow it
 * only in a secure context (HTTPS or localhost). Does not clear text that was copied later, if the page can detect that.
 */
function scheduleClear(secret: string): ClipboardClear {
  const cancellation = new AbortController()
  const { signal } = cancellation
  const cancel = () => cancellation.abort()

  async function clear() {
    const content = await readClipboardIfAllowed()
    // If the clipboard can't be read, clear it at the first attempt only: later the user may have copied something elsewhere.
    const canClear = content === undefined ? isFirstAttempt : content === secret
    if (signal.aborted || !canClear) return cancel()
    const cleared = await navigator.clipboard?.writeText('').then(
      () => true,
      () => false,
    )
    if (cleared) cancel()
  }

  async function clearNow() {
    clearTimeout(timer)
    if (document.hasFocus()) await clear()
    if (!signal.aborted) addEventListener('focus', () => void clear(), { signal })
  }

  let isFirstAttempt = true
  const timer = setTimeout(async () => {
    await clearNow()
    isFirstAttempt = false
  }, clearDelayMs)
  signal.addEventListener('abort', () => clearTimeout(timer))
  for (const event of ['copy', 'cut']) document.addEventListener(event, cancel, { signal })
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
