import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { paths } from '../contract/protocol.ts'
import { createApp } from './app.ts'
import { openSqlite } from './storage/sqlite/open.ts'

const document = readFileSync(new URL('../docs/protocol.md', import.meta.url), 'utf8')
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

it('issue 2, protocol: docs/protocol.md tells of every call there is, and of no other', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'staffbook-protocol-'))
  const storage = await openSqlite({ folder })
  const app = await createApp({ storage, signUp: { mode: 'open' } })
  const urls = [...Object.values(paths), '/healthz', '/readyz'].map((path) =>
    typeof path === 'function' ? decodeURIComponent(path(':id')) : path,
  )
  const answered = urls.flatMap((url) =>
    methods.filter((method) => app.hasRoute({ method, url })).map((method) => `${method} ${url}`),
  )
  const told = Array.from(document.matchAll(/^\| `([A-Z]+ \/[^`\s]*)`/gm), ([, call = '']) =>
    call.replace('{id}', ':id'),
  )
  expect(answered.length).toBeGreaterThanOrEqual(urls.length)
  expect(told.sort()).toEqual(answered.sort())
  await app.close()
  await storage.close()
  rmSync(folder, { recursive: true })
})
