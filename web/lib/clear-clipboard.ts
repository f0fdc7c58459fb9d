/** A copied secret stays in the clipboard for this long, in ms. */
const copiedFor = 60_000

/**
 * Clears a copied secret away after `copiedFor`, where the browser lets the page: over HTTPS or on this machine, while
 * the page has the focus. Never what somebody copied since, as far as the page can know. Returns a function that
 * forgets about it.
 */
export function clearLater(secret: string): () => void {
  const forgetting = new AbortController()
  const { signal } = forgetting
  const forget = () => forgetting.abort()

  async function clear() {
    const content = await readIfAllowed()
    // Back on the page after its time, what is in the clipboard may be anybody's: then only what is known is cleared.
    const mayClear = content === undefined ? isInTime : content === secret
    if (signal.aborted || !mayClear) return forget()
    const cleared = await navigator.clipboard?.writeText('').then(
      () => true,
      () => false,
    )
    if (cleared) forget()
  }

  let isInTime = true
  const timer = setTimeout(async () => {
    if (document.hasFocus()) await clear()
    isInTime = false
    if (!signal.aborted) addEventListener('focus', () => void clear(), { signal })
  }, copiedFor)
  signal.addEventListener('abort', () => clearTimeout(timer))
  for (const event of ['copy', 'cut']) document.addEventListener(event, forget, { signal })
  return forget
}

/** The clipboard's text, where the person has allowed to read it before; the page never asks. */
async function readIfAllowed(): Promise<string | undefined> {
  try {
    const { state } = await navigator.permissions.query({ name: 'clipboard-read' as PermissionName })
    return state === 'granted' ? await navigator.clipboard.readText() : undefined
  } catch {
    return undefined
  }
}
