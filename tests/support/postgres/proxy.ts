import { once } from 'node:events'
import { type AddressInfo, createServer, connect as dial } from 'node:net'

/** A way to the database of an address that can be cut: its own address, and the knife. */
export async function cuttable(url: string) {
  const { hostname, port } = new URL(url)
  let cutAfter: string | undefined
  let silence: { after: string; fallen: () => void } | undefined
  const server = createServer((near) => {
    const far = dial(Number(port), hostname)
    near.on('error', () => {}).on('close', () => far.end())
    far.on('error', () => {}).on('close', () => near.destroy())
    far.pipe(near)
    near.on('data', (bytes) => {
      if (silence && bytes.includes(silence.after)) {
        far.unpipe(near).pause()
        silence.fallen()
      }
      far.write(bytes)
      if (cutAfter === undefined || !bytes.includes(cutAfter)) return
      cutAfter = undefined
      near.destroy()
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const own = new URL(url)
  own.port = String((server.address() as AddressInfo).port)
  return {
    url: own.href,
    /** Once this word has gone to the database, no answer comes back. */
    cutAfter(word: string) {
      cutAfter = word
    },
    /** A connection on which this word goes to the database hears nothing more, and does not end; resolves then. */
    silentAfter: (after: string) =>
      new Promise<void>((fallen) => {
        silence = { after, fallen }
      }),
    close: () => server.close(),
  }
}
