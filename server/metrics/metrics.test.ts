import { expect, it } from 'vitest'
import { paths } from '../../contract/protocol.ts'
import { createFolder } from '../../tests/support/cleanup.ts'
import { startServerProcess } from '../../tests/support/faults/server-process.ts'
import { createSignedInClient } from '../../tests/support/http-client.ts'
import { ada } from '../../tests/support/people.ts'
import { startTestServer } from '../../tests/support/server.ts'
import { createMetrics } from './metrics.ts'
import { createHistogram } from './text-format.ts'

const linePattern = /^(# (HELP|TYPE) \w+ .+|\w+(\{(\w+="([^"\\\n]|\\.)*",?)+\})? [\d.e+-]+)$/

it('metrics: counts requests, writes, commits, streams, sign-ins and refusals, and names nobody', async () => {
  const metrics = createMetrics()
  const server = await startTestServer({ metrics })
  const client = await createSignedInClient(server.url)
  const { id } = (await client.add(ada)).body
  await client.update(id, ada)
  await client.list()
  await client.call('POST', paths.session, { email: 'ada@example.com', password: 'wrong' })
  await fetch(`${server.url}/some/page?token=secret`)
  await fetch(server.url + paths.books)
  const stream = await client.openChangeStream()
  const countOf = (name: string) => {
    const line = metrics
      .render()
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
    return line && Number(line.slice(name.length))
  }

  await expect.poll(() => countOf('staffbook_streams')).toBe(1)
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
  ).toEqual(Array(10).fill(1))
  // An account, a session, and two writes of records, each in a transaction of its own.
  expect(countOf('staffbook_writes_total')).toBe(4)
  expect(countOf('staffbook_commit_seconds_count')).toBe(4)
  expect(countOf('staffbook_commit_writes_bucket{le="1"}')).toBe(4)
  expect(countOf('staffbook_memory_bytes{kind="resident"}')).toBeGreaterThan(1_000_000)
  expect(countOf('staffbook_event_loop_delay_seconds{quantile="1"}')).toBeGreaterThanOrEqual(0)
  const text = metrics.render()
  expect(text.match(/ada|secret|127\.0\.0\.1|page\?/i)).toBeNull()
  expect(
    text
      .trimEnd()
      .split('\n')
      .filter((line) => !linePattern.test(line)),
  ).toEqual([])

  await stream.close()
  await expect.poll(() => countOf('staffbook_streams')).toBe(0)
})

it('metrics: a bucket contains what is at most its bound, and those below it', () => {
  const histogram = createHistogram('h', 'Help.', [1, 2])
  for (const value of [0.5, 1, 1.5, 3]) histogram.observe(value, { a: 'x"\n\\' })
  const labels = (le: string) => `{a="x\\"\\n\\\\",le="${le}"}`
  expect(histogram.render().split('\n').slice(2)).toEqual([
    `h_bucket${labels('1')} 2`,
    `h_bucket${labels('2')} 3`,
    `h_bucket${labels('+Inf')} 4`,
    'h_sum{a="x\\"\\n\\\\"} 6',
    'h_count{a="x\\"\\n\\\\"} 4',
    '',
  ])
})

it('metrics: served at METRICS only, and not by the server itself', async () => {
  const folder = createFolder()
  const server = await startServerProcess({ METRICS: '127.0.0.1:0', DATA_DIR: folder })
  const url = () => /Metrics are at (http:[^"]+)/.exec(server.output.err)?.[1] ?? ''
  await expect.poll(url).not.toBe('')
  const response = await fetch(url())
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(await response.text()).toContain('staffbook_info{version="')
  expect((await fetch(url().replace('/metrics', '/'))).status).toBe(404)
  expect((await fetch(`${server.url}/metrics`)).headers.get('content-type')).not.toContain('version=0.0.4')
  expect(await server.kill('SIGTERM')).toBe(0)
})
