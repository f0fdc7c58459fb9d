/**
 * Hears the first SIGTERM or SIGINT, and takes no notice of further ones: a supervisor tells all processes of a group, and
 * whoever started us passes on what it was told itself.
 */
export function onShutdownSignal(shutDown: () => Promise<void>): void {
  let isShuttingDown = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isShuttingDown) return
      isShuttingDown = true
      shutDown()
    })
  }
}
