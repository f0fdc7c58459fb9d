import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { paths } from '../../contract/protocol.ts'
import { exitCodes } from '../../server/process/lifecycle.ts'
import { createFolder } from '../support/cleanup.ts'
import { ServerStartError, spawnServer, startServerProcess } from '../support/faults/server-process.ts'
import { startUnlimitedServer, startUnlimitedServerInTempDir } from '../support/faults/unlimited-server.ts'
import { createWriters } from '../support/faults/writers.ts'
import { signInAt } from '../support/http-client.ts'
import { ada } from '../support/people.ts'
import { formatHead, openConnection } from '../support/raw-http.ts'
import { timeouts } from '../support/timeouts.ts'

describe('start and end of the process', () => {
  it('when the writer thread dies, the server acknowledges nothing more and exits with its code', async () => {
    const { server, client } = await signInAt(startUnlimitedServerInTempDir())
    const { id } = (await client.add(ada)).body
    process.kill(server.pid, 'SIGUSR2')
    const acknowledged: string[] = [id]
    const refusals: string[] = []
    for (;;) {
      const response = await client.add(ada).catch(() => 'the process has exited' as const)
      if (typeof response === 'string') break
      const { status, body } = response
      if (status === 201) acknowledged.push(body.id)
      else refusals.push(body.code)
    }
    expect(refusals.filter((code) => code !== 'storage-unavailable')).toEqual([])
    expect(await server.exited).toBe(exitCodes.writer)
    const again = await startUnlimitedServer({ DATA_DIR: server.folder })
    const { documents } = await again.connect(client.cookie).book()
    expect(documents.map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged))
  })

  it('SIGTERM under load: completes accepted writes, ends event streams, drops half-sent requests, and exits with 0', async () => {
    const { server, client } = await signInAt(startUnlimitedServerInTempDir())
    const stream = await client.openChangeStream()
    sendHalfRequest(server.url)
    const writers = createWriters(32, client.cookie)
    const written = writers.writeUntilDown(server.url)
    await writers.waitForMore(200)

    expect(await server.kill('SIGTERM')).toBe(0)
    await written
    for (let event = await stream.next(); event; event = await stream.next())
      expect(event.event).toBe('change')

    const again = await startUnlimitedServer({ DATA_DIR: server.folder })
    expect(writers.findDifferences(await again.connect(client.cookie).book())).toEqual([])
  })

  it.each(['SIGHUP', 'SIGQUIT'] as const)(
    '%s, as of a closed terminal or Ctrl-\\: exits with 0 and closes the database',
    async (signal) => {
      const { server, client } = await signInAt(startUnlimitedServerInTempDir())
      await client.add(ada)
      await sendHalfRequest(server.url)
      expect(await server.kill(signal)).toBe(0)
      expect(readdirSync(server.folder).sort()).toEqual(['in-use.lock', 'reserve', 'staffbook.sqlite'])
    },
  )

  it('a second signal does not disturb the shutdown, which exits with 0', async () => {
    const server = await startUnlimitedServerInTempDir()
    await sendHalfRequest(server.url)
    process.kill(server.pid, 'SIGINT')
    expect(await server.kill('SIGTERM')).toBe(0)
    expect(server.output.err).toBe('')
  })

  // `npm start` builds the page if it is out of date, which may take longer than other tests.
  const timeout = 5 * timeouts.testMs
  it('SIGTERM to the process group of npm start (as supervisors send it): exits with 0 and closes the database', {
    timeout,
  }, async () => {
    const folder = createFolder()
    const server = await spawnServer(
      [process.execPath, 'scripts/run.js', 'start'],
      { DATA_DIR: folder },
      true,
    )
    await (await server.signIn()).add(ada)
    await sendHalfRequest(server.url)
    expect(await server.kill('SIGTERM')).toBe(0)
    expect(readdirSync(folder).sort()).toEqual(['in-use.lock', 'reserve', 'staffbook.sqlite'])
  })

  it('a server that cannot start says what to do, and nothing else, and exits with 1; the one that runs continues', async () => {
    const server = await startUnlimitedServerInTempDir()
    const other = `${server.folder}/other`
    const attempts = [
      [{ DATA_DIR: other, PORT: new URL(server.url).port }, /^staffbook: listen EADDRINUSE.*PORT=3001\.\n$/],
      [
        { DATA_DIR: other, HOST: 'nonsense.invalid', SIGN_UP: 'closed', ALLOW_HTTP: 'yes' },
        /^staffbook: getaddrinfo .* nonsense\.invalid\. Please choose another HOST.*\n$/,
      ],
      // A link-local address without its interface, or where there is no IPv6.
      [
        { DATA_DIR: other, HOST: 'fe80::1', SIGN_UP: 'closed', ALLOW_HTTP: 'yes' },
        /^staffbook: listen E\w+: .*fe80::1\. Please choose another PORT or HOST\.\n$/,
      ],
      [
        { DATA_DIR: server.folder },
        /is in use by another Staffbook\. Stop it, or choose another folder with DATA_DIR/,
      ],
      [{ PORT: 'x', SIGN_UP: 'y' }, /^staffbook: PORT must be .*\nSIGN_UP must be .*\n$/],
    ] as const
    for (const [environment, message] of attempts) {
      const error = await startServerProcess(environment).catch((error) => error)
      expect(error).toBeInstanceOf(ServerStartError)
      expect([error.code, error.message]).toEqual([exitCodes.startFailed, expect.stringMatching(message)])
    }
    expect((await (await server.signIn()).add(ada)).status).toBe(201)
  })
})

/** Sends half a request and never the rest. Resolves when it was sent. */
const sendHalfRequest = (url: string) =>
  openConnection(url, `${formatHead('POST', paths.session, { 'content-length': 99 })}{`).sent
