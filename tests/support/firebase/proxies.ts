import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A TCP line to a port of the loopback, which a test can cut. */
export interface Line {
  /** `host:port` of its near end. */
  address: string
  cut(): Promise<void>
  /** Keeps it standing, and lets nothing through until it is mended. */
  silence(): Promise<void>
  mend(): Promise<void>
}

/** What is asked of the process that holds the lines; each question is answered with the number of a line. */
export type Question = { ask: 'open' | 'cut' | 'silence' | 'mend'; port: number }

/**
 * Opens lines in a process of their own. Held in the process of the gRPC client (Node 24.21), they made it read a message
 * of 3 GB in about one run of three; without a line, or with the line elsewhere, it never did.
 */
export async function startLines() {
  const holder = fork(fileURLToPath(new URL('line-holder.ts', import.meta.url)))
  let last: Promise<unknown> = Promise.resolve()

  /** One question after the other, so that an answer needs no name. */
  function put(question: Question): Promise<number> {
    const answer = last.then(async () => {
      holder.send(question)
      const [port] = await once(holder, 'message')
      return port as number
    })
    last = answer
    return answer
  }

  return {
    async open(to: number): Promise<Line> {
      const port = await put({ ask: 'open', port: to })
      return {
        address: `127.0.0.1:${port}`,
        cut: async () => void (await put({ ask: 'cut', port })),
        silence: async () => void (await put({ ask: 'silence', port })),
        mend: async () => void (await put({ ask: 'mend', port })),
      }
    },
    async stop() {
      holder.disconnect()
      await once(holder, 'exit')
    },
  }
}
