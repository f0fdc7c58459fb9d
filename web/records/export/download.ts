/** Hands a text over as a file. */
export function downloadText(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Not at once: the browser may not have begun to read.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
