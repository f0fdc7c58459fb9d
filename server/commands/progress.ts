/** Says how far a command is. */
export type Tell = (done: number, all: number) => void

const clearedLine = '\r\u001b[K'

/** Does work that tells how many records are done: on one line of a terminal, which is free again afterwards. */
export async function withProgress<T>(
  stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>,
  work: (tell: Tell) => T | Promise<T>,
): Promise<T> {
  let isTold = false
  const tell = (done: number, all: number) => {
    if (!stream.isTTY) return
    isTold = true
    stream.write(`${clearedLine}Records: ${done} of ${all} …`)
  }
  try {
    return await work(tell)
  } finally {
    if (isTold) stream.write(clearedLine)
  }
}
