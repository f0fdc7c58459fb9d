import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createFolder } from '../support/cleanup.ts'
import { startServerProcess } from '../support/faults/server-process.ts'
import { ensureProgram } from '../support/postgres/programs.ts'
import { provideCluster } from '../support/postgres/storage.ts'

describe("PostgreSQL: a database with its provider's certificate", () => {
  const folder = createFolder()
  const [cert, key] = ['cert', 'key'].map((name) => join(folder, name)) as [string, string]
  const cluster = provideCluster(() => {
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1']
    const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject]
    expect(spawnSync(ensureProgram('openssl'), [...args, '-out', cert, '-keyout', key]).status).toBe(0)
    return { certificate: { cert, key } }
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it.each(['require', 'verify-ca', 'verify-full'])('sslmode=%s with sslrootcert is silent', async (mode) => {
    const server = await startServerProcess({
      DATABASE_URL: `${cluster.url}?sslmode=${mode}&sslrootcert=${cert}`,
    })
    expect(await server.kill('SIGTERM')).toBe(0)
    expect(server.output.err).not.toMatch(/Warning|sslmode/)
  })

  it.each(['require', 'verify-full'])(
    'sslmode=%s without it: one line that says what to add',
    async (mode) => {
      const url = `${cluster.url}?sslmode=${mode}`
      const { message } = await startServerProcess({ DATABASE_URL: url }).catch((error) => error)
      expect(message).toMatch(
        /^staffbook: The database \S+ cannot be opened: self-signed certificate\. Add sslrootcert=[^\n]+\n$/,
      )
    },
  )
})
