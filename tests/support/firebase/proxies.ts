import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A command to the proxy process. `port` is the target port for `open`, otherwise the proxy's. The reply is the proxy's port. */
export type ProxyCommand = { action: 'open' | 'cut' | 'stall' | 'restore'; port: number }

/**
 * Starts a separate process for proxies. With proxies in the process of the gRPC client (Node 24.21), the client tried to
 * read a message of 3 GB in about one of three runs.
 */
export async function startProxies() {
  const proxyProcess = fork(fileURLToPath(new URL('proxy-process.ts', import.meta.url)))
  let previousReply: Promise<unknown> = Promise.resolve()

  /** Sends one command at a time, so that replies need no ids. */
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
    /** Starts a proxy of tests/support/tcp-proxy.ts. `address` is the `host:port` to connect to. */
    async open(to: number) {
      const port = await sendCommand({ action: 'open', port: to })
      return {
        address: `127.0.0.1:${port}`,
        cut: () => sendCommand({ action: 'cut', port }),
        stall: () => sendCommand({ action: 'stall', port }),
        restore: () => sendCommand({ action: 'restore', port }),
      }
    },
    async stop() {
      proxyProcess.disconnect()
      await once(proxyProcess, 'exit')
    },
  }
}
