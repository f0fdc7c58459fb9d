import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { exitCodes } from '../../server/process/lifecycle.ts'
import { fetchEmployeeList } from '../support/faults/fetch-employee-list.ts'
import {
  ServerStartError,
  startServerProcess,
  startServerProcessGroup,
} from '../support/faults/server-process.ts'
import { startUnlimitedServer, startUnlimitedServerInTempDir } from '../support/faults/unlimited-server.ts'
import { createWriters } from '../support/faults/writers.ts'
import { createSignedInClient } from '../support/http-client.ts'

const ada = { eName: 'Ada', email: 'ada@example.com', password: 'engine' }

describe('start and end of the process', () => {
  it('when the writer thread dies, the server acknowledges nothing more and exits with its code', async () => {
    const server = await startUnlimitedServerInTempDir()
    const client = await createSignedInClient(server.url)
    const { id } = (await client.add(ada)).body
    process.kill(server.pid, 'SIGUSR2')
    const acknowledged: string[] = [id]
    const refusals: string[] = []
    await (async () => {
      for (;;) {
        const { status, body } = await client.add(ada)
        if (status === 201) acknowledged.push(body.id)
        else refusals.push(body.code)
      }
    })().catch(() => 'the process has exited')
    expect(refusals.filter((code) => code !== 'storage-unavailable')).toEqual([])
    expect(await server.exited).toBe(exitCodes.writer)
    const again = await startUnlimitedServer({ DATA_DIR: server.folder })
    const { documents } = await fetchEmployeeList(again.url, client.cookie)
    expect(documents.map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged))
    await again.kill('SIGTERM')
    server.removeFolder()
  })

  it('SIGTERM under load: completes accepted writes, ends event streams, drops half-sent requests, and exits with 0', async () => {
    const server = await startUnlimitedServerInTempDir()
    const client = await createSignedInClient(server.url)
    const stream = await client.openChangeStream()
    sendHalfRequest(server.url)
    const writers = createWriters(32, client.cookie)
    const written = writers.writeUntilDown(server.url)
    while (writers.acknowledged() < 200) await after(5)

    expect(await server.kill('SIGTERM')).toBe(0)
    await written
    for (let event = await stream.next(); event; event = await stream.next())
      expect(event.event).toBe('change')

    const again = await startUnlimitedServer({ DATA_DIR: server.folder })
    expect(writers.findDifferences(await fetchEmployeeList(again.url, client.cookie))).toEqual([])
    await again.kill('SIGTERM')
    server.removeFolder()
  })

  it('a second signal does not disturb the shutdown, which exits with 0', async () => {
    const server = await startUnlimitedServerInTempDir()
    await sendHalfRequest(server.url)
    process.kill(server.pid, 'SIGINT')
    expect(await server.kill('SIGTERM')).toBe(0)
    expect(server.output.err).toBe('')
    server.removeFolder()
  })

  it('SIGTERM to the process group of npm start (as supervisors send it): exits with 0 and closes the database', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'staffbook-group-'))
    const server = await startServerProcessGroup({ DATA_DIR: folder })
    await (await createSignedInClient(server.url)).add(ada)
    await sendHalfRequest(server.url)
    expect(await server.kill('SIGTERM')).toBe(0)
    expect(readdirSync(folder).sort()).toEqual(['in-use.lock', 'staffbook.sqlite'])
    rmSync(folder, { recursive: true })
  })

  it('a used port: prints what to do and exits with 1', async () => {
    const server = await startUnlimitedServerInTempDir()
    const starting = startServerProcess({
      DATA_DIR: `${server.folder}/other`,
      PORT: new URL(server.url).port,
    })
    const error = await starting.catch((error) => error)
    expect(error).toBeInstanceOf(ServerStartError)
    expect(error.code).toBe(exitCodes.startFailed)
    expect(error.message).toMatch(/^staffbook: listen EADDRINUSE.*PORT=3001\.\n$/)
    await server.kill('SIGTERM')
    server.removeFolder()
  })

  it('an invalid HOST: prints one line with what to do and exits with 1', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'staffbook-host-'))
    const environment = { HOST: 'nonsense.invalid', SIGN_UP: 'closed', ALLOW_HTTP: 'yes' }
    const error = await startServerProcess({ DATA_DIR: folder, ...environment }).catch((error) => error)
    expect(error).toBeInstanceOf(ServerStartError)
    expect(error.code).toBe(exitCodes.startFailed)
    expect(error.message).toMatch(
      /^staffbook: getaddrinfo .* nonsense\.invalid\. Please choose another HOST.*\n$/,
    )
    rmSync(folder, { recursive: true })
  })

  it('a second server on the same folder: prints what to do and exits; the first continues', async () => {
    const server = await startUnlimitedServerInTempDir()
    const error = await startServerProcess({ DATA_DIR: server.folder }).catch((error) => error)
    expect(error.message).toMatch(
      /is in use by another Staffbook\. Stop it, or choose another folder with DATA_DIR/,
    )
    expect((await (await createSignedInClient(server.url)).add(ada)).status).toBe(201)
    await server.kill('SIGKILL')
    const again = await startServerProcess({ DATA_DIR: server.folder })
    expect(await again.kill('SIGTERM')).toBe(0)
    server.removeFolder()
  })

  it('files are readable by their owner only, also in a folder that others can read', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'staffbook-modes-'))
    chmodSync(folder, 0o755)
    const server = await startServerProcess({ DATA_DIR: folder })
    await (await createSignedInClient(server.url)).add(ada)
    const open = readdirSync(folder).filter((name) => statSync(join(folder, name)).mode & 0o077)
    expect(open).toEqual([])
    await server.kill('SIGTERM')
    rmSync(folder, { recursive: true })
  })

  it('invalid variables: names all of them and prints nothing else', async () => {
    const error = await startServerProcess({ PORT: 'x', SIGN_UP: 'y' }).catch((error) => error)
    expect(error.message).toMatch(/^staffbook: PORT must be .*\nSIGN_UP must be .*\n$/)
  })
})

/** Sends half a request and never the rest. Resolves when it was sent. */
function sendHalfRequest(url: string): Promise<void> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  return new Promise((resolve) =>
    socket.write(
      'POST /api/identity/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
      () => resolve(),
    ),
  )
}
