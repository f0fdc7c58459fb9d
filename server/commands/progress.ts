/** Says how far a command is. */
export type ReportProgress = (done: number, total: number) => void

const clearLine = '\r\u001b[K'

/** Does work that tells how many records are done: on one line of a terminal, which is free again afterwards. */
export async function withProgress<T>(
  stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>,
  work: (reportProgress: ReportProgress) => T | Promise<T>,
): Promise<T> {
  let hasOutput = false
  const reportProgress = (done: number, total: number) => {
    if (!stream.isTTY) return
    hasOutput = true
    stream.write(`${clearLine}Records: ${done} of ${total} …`)
  }
  try {
    return await work(reportProgress)
  } finally {
    if (hasOutput) stream.write(clearLine)
  }
}
