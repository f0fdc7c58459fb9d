import { createServer, connect as dial } from 'node:net'
import { cleanUpAfterTest } from '../cleanup.ts'
import { listenLocally } from '../listen.ts'

/** A TCP proxy in front of a database, which can cut or stall connections. It closes at the end of the test that has started it. */
export async function startFaultProxy(url: string) {
  const { hostname, port } = new URL(url)
  let cutAfter: string | undefined
  let replacement: [text: string, by: string] | undefined
  let stall: { trigger: string; onStalled: () => void } | undefined
  const server = createServer((client) => {
    const upstream = dial(Number(port), hostname)
    client.on('error', () => {}).on('close', () => upstream.end())
    upstream.on('error', () => {}).on('close', () => client.destroy())
    upstream.pipe(client)
    client.on('data', (sent) => {
      const bytes = replacement
        ? Buffer.from(sent.toString('latin1').replace(...replacement), 'latin1')
        : sent
      if (stall && bytes.includes(stall.trigger)) {
        upstream.unpipe(client).pause()
        stall.onStalled()
      }
      upstream.write(bytes)
      if (cutAfter === undefined || !bytes.includes(cutAfter)) return
      cutAfter = undefined
      client.destroy()
    })
  })
  cleanUpAfterTest(() => server.close())
  const proxyUrl = new URL(url)
  proxyUrl.port = String(await listenLocally(server))
  return {
    url: proxyUrl.href,
    /** Closes the client's connection after this text was sent to the database, before a response. Works once. */
    cutAfter(text: string) {
      cutAfter = text
    },
    /** Replaces a text that is sent to the database by another of the same length. */
    replace(text: string, by: string) {
      replacement = [text, by]
    },
    /** Stops forwarding responses on connections that send this text, without closing them. Resolves when one does. */
    stallAfter: (text: string) =>
      new Promise<void>((resolve) => {
        stall = { trigger: text, onStalled: resolve }
      }),
    /** New connections are forwarded again. */
    heal() {
      stall = undefined
    },
  }
}
