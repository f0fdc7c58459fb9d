import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../unprivileged.ts'
import { ensureSystemPostgres } from './binaries.ts'
import { signalPostgres } from './cluster.ts'
import { ensureProgram, startProgram } from './programs.ts'

export type PatroniCluster = Awaited<ReturnType<typeof startPatroni>>
type Node = Awaited<ReturnType<typeof startNode>>

/** Loses nothing: only the synchronous standby is promoted, and without one nothing is acknowledged. */
const synchronousSettings = { synchronous_mode: true, synchronous_mode_strict: true }

/** Seconds. A leader that has gone is replaced after `ttl`; newer versions require 20. */
const timing = { ttl: 6, loop_wait: 1, retry_timeout: 2 }

/** Starts PostgreSQL servers that Patroni manages, with an etcd. Resolves when they have a leader and a synchronous standby. */
export async function startPatroni(count = 3) {
  ensureProgram('etcd', ['etcd-server'])
  ensureProgram('patroni', ['patroni', 'python3-etcd'])
  const etcd = await startEtcd()
  const nodes: Node[] = []
  for (let i = 0; i < count; i++) nodes.push(await startNode(`node${i}`, etcd.address))

  async function findLeader(): Promise<Node | undefined> {
    const answers = await Promise.all(nodes.map((node) => node.ask('primary')))
    return nodes[answers.findIndex((answer) => answer?.status === 200)]
  }

  /** Resolves with the leader when it has a synchronous standby, which can replace it. */
  async function waitForLeader(): Promise<Node> {
    for (;;) {
      const leader = await findLeader()
      const answer = await leader?.ask('cluster')
      if (leader && (await answer?.text())?.includes('"sync_standby"')) return leader
      await sleep(100)
    }
  }

  await waitForLeader()
  return {
    url: `postgres://staffbook@${nodes.map(({ port }) => `127.0.0.1:${port}`).join()}/postgres`,
    waitForLeader,
    async stop() {
      await Promise.all(nodes.map((node) => node.stop()))
      await etcd.stop()
    },
  }
}

async function startEtcd() {
  const [port, peerPort] = [await findFreePort(), await findFreePort()]
  const [url, peerUrl] = [port, peerPort].map((one) => `http://127.0.0.1:${one}`)
  const configuration = (folder: string) =>
    JSON.stringify({
      name: 'etcd',
      'data-dir': join(folder, 'data'),
      'listen-client-urls': url,
      'advertise-client-urls': url,
      'listen-peer-urls': peerUrl,
      'initial-advertise-peer-urls': peerUrl,
      'initial-cluster': `etcd=${peerUrl}`,
      // Patroni's protocol; the default with arguments, but not in a file.
      'enable-grpc-gateway': true,
    })
  const program = await startProgram('etcd', (file) => ['--config-file', file], configuration, port)
  return { ...program, address: `127.0.0.1:${port}` }
}

async function startNode(name: string, etcd: string) {
  const [port, restPort] = [await findFreePort(), await findFreePort()]
  const address = `127.0.0.1:${port}`
  const restAddress = `127.0.0.1:${restPort}`
  const configuration = (folder: string) =>
    JSON.stringify({
      scope: 'staffbook',
      name,
      restapi: { listen: restAddress, connect_address: restAddress },
      etcd3: { hosts: etcd },
      bootstrap: {
        dcs: { ...timing, ...synchronousSettings, primary_start_timeout: 0 },
        initdb: [{ auth: 'trust' }, { encoding: 'UTF8' }, 'no-locale'],
      },
      postgresql: {
        listen: address,
        connect_address: address,
        data_dir: join(folder, 'data'),
        pgpass: join(folder, 'pgpass'),
        bin_dir: ensureSystemPostgres(),
        authentication: { superuser: { username: 'staffbook' }, replication: { username: 'replication' } },
        parameters: { unix_socket_directories: folder, wal_retrieve_retry_interval: '500ms' },
        pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      },
    })
  const program = await startProgram('patroni', (file) => [file], configuration, restPort)
  const data = join(program.folder, 'data')
  const killPostgres = () => signalPostgres(data, 'SIGKILL')
  process.once('exit', killPostgres)
  return {
    name,
    port,
    /** Patroni's answer, unless it is down. */
    ask: (path: string) => fetch(`http://${restAddress}/${path}`).catch(() => undefined),
    killPostgres: async () => killPostgres(),
    /** Kills Patroni and PostgreSQL at once, as a power cut does. */
    async kill() {
      const killed = program.kill()
      killPostgres()
      await killed
    },
    async stop() {
      process.off('exit', killPostgres)
      await program.kill()
      killPostgres()
      await program.stop()
    },
  }
}
