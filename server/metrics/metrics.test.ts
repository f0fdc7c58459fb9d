import { expect, it } from 'vitest'
import { passkeyPaths } from '../../contract/passkeys.ts'
import { paths } from '../../contract/protocol.ts'
import { createFolder } from '../../tests/support/cleanup.ts'
import { startServerProcess } from '../../tests/support/faults/server-process.ts'
import { signInAt } from '../../tests/support/http-client.ts'
import { ada } from '../../tests/support/people.ts'
import { startTestServer } from '../../tests/support/server.ts'
import { createMetrics } from './metrics.ts'

const linePattern = /^(# (HELP|TYPE) \w+ .+|\w+(\{(\w+="([^"\\\n]|\\.)*",?)+\})? [\d.e+-]+)$/

it('metrics: counts requests, writes, commits, streams, sign-ins and refusals, and names nobody', async () => {
  const metrics = createMetrics()
  const readBackupStatus = async () => ({ ageSeconds: 90, failed: true })
  const { server, client } = await signInAt(
    startTestServer({ metrics, readBackupStatus, maxBytes: 1_000_000 }),
  )
  const { id } = (await client.add(ada)).body
  await client.update(id, ada)
  await client.list()
  await client.post(paths.session, { email: 'ada@example.com', password: 'wrong' })
  await client.post(passkeyPaths.session, {})
  await fetch(`${server.url}/some/page?token=secret`)
  await fetch(server.url + paths.books)
  const stream = await client.openChangeStream()
  const read = async () => {
    const lines = (await metrics.render()).split('\n')
    return (name: string) =>
      lines.filter((line) => line.startsWith(`${name} `)).map((line) => Number(line.slice(name.length)))[0]
  }

  await expect.poll(async () => (await read())('staffbook_streams')).toBe(1)
  // A refused sign-in is logged after its response.
  await expect.poll(async () => (await read())('staffbook_writes_total')).toBe(5)
  const countOf = await read()
  expect(
    [
      'staffbook_http_requests_total{method="POST",route="/api/collections/books",status="201"}',
      'staffbook_http_requests_total{method="PATCH",route="/api/collections/books/:id",status="200"}',
      'staffbook_http_requests_total{method="GET",route="/api/collections/books",status="200"}',
      'staffbook_http_requests_total{method="GET",route="/api/collections/books",status="401"}',
      'staffbook_http_requests_total{method="GET",route="page",status="404"}',
      'staffbook_http_request_seconds_count{method="PATCH",route="/api/collections/books/:id"}',
      'staffbook_sign_ins_total{result="signed-in"}',
      'staffbook_sign_ins_total{result="refused"}',
      'staffbook_refusals_total{code="invalid-credentials"}',
      'staffbook_refusals_total{code="not-signed-in"}',
    ].map(countOf),
  ).toEqual([1, 1, 1, 1, 1, 1, 1, 2, 1, 1])
  // An account, a session, two writes of records, and a refused sign-in, each in a transaction of its own.
  for (const name of ['writes_total', 'commit_seconds_count', 'commit_writes_bucket{le="1"}'])
    expect(countOf(`staffbook_${name}`)).toBe(5)
  expect(countOf('staffbook_register_bytes')).toBe(server.storage.employees.size().bytes)
  expect(countOf('staffbook_register_deleted_bytes')).toBe(0)
  expect(countOf('staffbook_register_max_bytes')).toBe(1_000_000)
  expect(countOf('staffbook_memory_bytes{kind="resident"}')).toBeGreaterThan(1_000_000)
  expect(countOf('staffbook_event_loop_delay_seconds{quantile="1"}')).toBeGreaterThanOrEqual(0)
  expect(['age_seconds', 'failed'].map((name) => countOf(`staffbook_backup_${name}`))).toEqual([90, 1])
  const text = await metrics.render()
  expect(text.match(/ada|secret|127\.0\.0\.1|page\?/i)).toBeNull()
  expect(text.split('\n').filter((line) => line !== '' && !linePattern.test(line))).toEqual([])

  await stream.close()
  await expect.poll(async () => (await read())('staffbook_streams')).toBe(0)
})

it('metrics: served at METRICS only, and not by the server itself', async () => {
  const server = await startServerProcess({ METRICS: '127.0.0.1:0', DATA_DIR: createFolder() })
  const url = () => /Metrics are at (http:[^"]+)/.exec(server.output.err)?.[1] ?? ''
  await expect.poll(url).not.toBe('')
  const response = await fetch(url())
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(await response.text()).toContain('staffbook_info{version="')
  expect((await fetch(url().replace('/metrics', '/'))).status).toBe(404)
  expect((await fetch(`${server.url}/metrics`)).headers.get('content-type')).not.toContain('version=0.0.4')
  expect(await server.kill('SIGTERM')).toBe(0)
})

it('metrics: a value that cannot be read does not end the server', async () => {
  const metrics = createMetrics()
  await startTestServer({ metrics, readBackupStatus: () => Promise.reject(new Error('EMFILE')) })
  expect((await fetch(await metrics.serve({ host: '127.0.0.1', port: 0 }))).status).toBe(500)
})
