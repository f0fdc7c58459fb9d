/** A copied secret stays in the clipboard for this long, in ms. */
const clearDelayMs = 60_000

/**
 * Clears a copied secret away after `copiedFor`, where the browser lets the page: over HTTPS or on this machine, while
 * the page has the focus. Never what somebody copied since, as far as the page can know. Returns a function that
 * forgets about it.
 */
export function scheduleClipboardClear(secret: string): () => void {
  const cancellation = new AbortController()
  const { signal } = cancellation
  const cancel = () => cancellation.abort()

  async function clear() {
    const content = await readClipboardIfAllowed()
    // Back on the page after its time, what is in the clipboard may be anybody's: then only what is known is cleared.
    const canClear = content === undefined ? isFirstAttempt : content === secret
    if (signal.aborted || !canClear) return cancel()
    const cleared = await navigator.clipboard?.writeText('').then(
      () => true,
      () => false,
    )
    if (cleared) cancel()
  }

  let isFirstAttempt = true
  const timer = setTimeout(async () => {
    if (document.hasFocus()) await clear()
    isFirstAttempt = false
    if (!signal.aborted) addEventListener('focus', () => void clear(), { signal })
  }, clearDelayMs)
  signal.addEventListener('abort', () => clearTimeout(timer))
  for (const event of ['copy', 'cut']) document.addEventListener(event, cancel, { signal })
  return cancel
}

/** The clipboard's text, where the person has allowed to read it before; the page never asks. */
async function readClipboardIfAllowed(): Promise<string | undefined> {
  try {
    const { state } = await navigator.permissions.query({ name: 'clipboard-read' as PermissionName })
    return state === 'granted' ? await navigator.clipboard.readText() : undefined
  } catch {
    return undefined
  }
}
