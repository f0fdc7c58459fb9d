import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { findStartWarnings } from './lifecycle.ts'

const proxied = { TRUST_PROXY: 'loopback', SIGN_UP: 'closed' }
const warningsOf = (environment: Record<string, string>, node = '28.0.0') =>
  findStartWarnings(readConfig(environment), node)

test('a start warns of a Node with known vulnerabilities, wherever it serves', () => {
  expect(warningsOf({}, '24.21.0')).toEqual([expect.stringContaining('Serve on 24.22.1 or newer')])
  expect(warningsOf({})).toEqual([])
})

test('a start beyond this machine warns that there are no backups, except with PostgreSQL', () => {
  expect(warningsOf(proxied)).toEqual([expect.stringContaining('BACKUP_DIR is not set')])
  expect(warningsOf({ ...proxied, DATABASE_URL: 'postgres://localhost/staffbook' })).toEqual([])
})
