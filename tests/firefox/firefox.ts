#!/usr/bin/env node
// Stands in for Firefox where Playwright starts it: passes everything through, and hands out its own address in place of
// Firefox's, so that it can answer what Debian's extended-support release does not know yet. Playwright asks for the
// emulation of media features with every new page; a page can't be had without an answer.
import { spawn } from 'node:child_process'
import { type AddressInfo, connect, createServer } from 'node:net'
import { rewriteFrames } from './websocket-frames.ts'

const executable = process.env.FIREFOX_PATH ?? '/usr/bin/firefox-esr'
const unknown = '"method":"emulation.setMediaFeaturesOverride"'
const harmless = '"method":"session.status"'.padEnd(unknown.length)

const firefox = spawn(executable, process.argv.slice(2), { stdio: ['inherit', 'inherit', 'pipe'] })
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => firefox.kill(signal))
firefox.on('exit', (code) => process.exit(code ?? 1))

firefox.stderr.setEncoding('utf8').on('data', async (words: string) => {
  const port = /WebDriver BiDi listening on ws:\/\/127\.0\.0\.1:(\d+)/.exec(words)?.[1]
  process.stderr.write(port ? words.replace(`:${port}`, `:${await proxy(Number(port))}`) : words)
})

/** Listens in front of a port; answers its own. */
function proxy(port: number): Promise<number> {
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    const rewrite = rewriteFrames((text) => text.replace(unknown, harmless))
    let isUpgraded = false
    client.on('data', (bytes) => {
      if (isUpgraded) upstream.write(rewrite(bytes))
      // Firefox lets nobody in who did not ask for its own address.
      else
        upstream.write(bytes.toString('latin1').replace(/^host: .*$/im, `Host: 127.0.0.1:${port}`), 'latin1')
      isUpgraded = true
    })
    upstream.pipe(client)
    client.on('close', () => upstream.destroy())
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}
