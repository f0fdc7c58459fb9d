/** Reports the number of completed records. */
export type ReportProgress = (done: number, total: number) => void

const clearLine = '\r\u001b[K'

/** Shows the progress of a task on one line of a terminal, and clears it at the end. Shows nothing without a terminal. */
export async function withProgress<T>(
  stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>,
  task: (reportProgress: ReportProgress) => T | Promise<T>,
): Promise<T> {
  let hasOutput = false
  const reportProgress = (done: number, total: number) => {
    if (!stream.isTTY) return
    hasOutput = true
    stream.write(`${clearLine}Records: ${done} of ${total} …`)
  }
  try {
    return await task(reportProgress)
  } finally {
    if (hasOutput) stream.write(clearLine)
  }
}
