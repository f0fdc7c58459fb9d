import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A TCP line to a port of the loopback, which a test can cut. */
export interface TcpProxy {
  /** `host:port` of its near end. */
  address: string
  cut(): Promise<void>
  /** Keeps it standing, and lets nothing through until it is mended. */
  silence(): Promise<void>
  mend(): Promise<void>
}

/** What is asked of the process that holds the lines; each question is answered with the number of a line. */
export type ProxyCommand = { action: 'open' | 'cut' | 'silence' | 'mend'; port: number }

/**
 * Opens lines in a process of their own. Held in the process of the gRPC client (Node 24.21), they made it read a message
 * of 3 GB in about one run of three; without a line, or with the line elsewhere, it never did.
 */
export async function startProxies() {
  const proxyProcess = fork(fileURLToPath(new URL('proxy-process.ts', import.meta.url)))
  let previousReply: Promise<unknown> = Promise.resolve()

  /** One question after the other, so that an answer needs no name. */
  function sendCommand(command: ProxyCommand): Promise<number> {
    const reply = previousReply.then(async () => {
      proxyProcess.send(command)
      const [port] = await once(proxyProcess, 'message')
      return port as number
    })
    previousReply = reply
    return reply
  }

  return {
    async open(to: number): Promise<TcpProxy> {
      const port = await sendCommand({ action: 'open', port: to })
      return {
        address: `127.0.0.1:${port}`,
        cut: async () => void (await sendCommand({ action: 'cut', port })),
        silence: async () => void (await sendCommand({ action: 'silence', port })),
        mend: async () => void (await sendCommand({ action: 'mend', port })),
      }
    },
    async stop() {
      proxyProcess.disconnect()
      await once(proxyProcess, 'exit')
    },
  }
}
