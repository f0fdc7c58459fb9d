import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { createFolder } from '../tests/support/cleanup.ts'
import { readConfig } from './config.ts'

const problemsOf = (environment: Record<string, string>) => {
  try {
    readConfig(environment)
  } catch (error) {
    return (error as Error).message.split('\n')
  }
  return []
}

describe('configuration', () => {
  let folder: string

  beforeEach(() => {
    folder = createFolder()
  })

  it('listens on one address of localhost, because only one server has the limits', () => {
    expect(readConfig({ HOST: 'localhost' }).host).toBe('127.0.0.1')
  })

  it('has a default for every variable', () => {
    expect(readConfig({ SIGN_UP: '' })).toEqual({
      port: 3000,
      host: '127.0.0.1',
      dataDir: './data',
      databaseUrl: undefined,
      signUp: 'open',
      trustProxy: false,
      localOnly: true,
      publicUrl: undefined,
      logLevel: 'info',
      maxBytes: 200 * 1024 * 1024,
      recordsKey: undefined,
      durability: { allowedOff: [], hasSynchronousStandby: false },
      backups: undefined,
      retention: { deletedDays: 30, activityDays: 365 },
      metrics: undefined,
    })
  })

  it('reads all variables', () => {
    const environment = {
      PORT: '0',
      HOST: '0.0.0.0',
      DATA_DIR: '/var/lib/staffbook',
      SIGN_UP: 'invited',
      TRUST_PROXY: 'loopback,10.0.0.0/8',
      PUBLIC_URL: 'https://Staff.example.com/',
      LOG_LEVEL: 'error',
      RECORDS_KEY: 'ab'.repeat(32),
      BACKUP_DIR: folder,
      DELETED_DAYS: '0',
      MAX_REGISTER_MB: '500',
      ACTIVITY_DAYS: '90',
      METRICS: '[::1]:9100',
      ALLOW_UNSAFE_DATABASE: 'fsync, full_page_writes',
      DATABASE_STANDBY: 'synchronous',
    }
    expect(readConfig(environment)).toEqual({
      port: 0,
      host: '0.0.0.0',
      dataDir: '/var/lib/staffbook',
      databaseUrl: undefined,
      signUp: 'invited',
      trustProxy: ['loopback', '10.0.0.0/8'],
      localOnly: false,
      publicUrl: new URL('https://staff.example.com'),
      logLevel: 'error',
      maxBytes: 500 * 1024 * 1024,
      recordsKey: Buffer.alloc(32, 0xab),
      durability: { allowedOff: ['fsync', 'full_page_writes'], hasSynchronousStandby: true },
      backups: { folder, maxBackups: 14 },
      retention: { deletedDays: 0, activityDays: 90 },
      metrics: { host: '::1', port: 9100 },
    })
  })

  it('names all invalid variables in one error', () => {
    const environment = {
      PORT: '70000',
      SIGN_UP: 'sometimes',
      TRUST_PROXY: 'true',
      LOG_LEVEL: 'loud',
      METRICS: '9100',
      PUBLIC_URL: 'https://https://staff.example.com',
      DATABASE_STANDBY: 'yes',
      ALLOW_UNSAFE_DATABASE: 'everything',
    }
    const problems = problemsOf(environment)
    expect(problems.map((problem) => problem.split(' ')[0]).sort()).toEqual(Object.keys(environment).sort())
    expect(problems).toContain('DATABASE_STANDBY must be synchronous, or not set; it is "yes".')
    expect(problems.join()).toContain('must be among fsync, full_page_writes')
  })

  it('reports a BACKUP_DIR that is not writable together with other problems', () => {
    const file = join(folder, 'a-file')
    writeFileSync(file, '')
    for (const BACKUP_DIR of [file, join(file, 'below')]) {
      expect(problemsOf({ PORT: '70000', BACKUP_DIR })).toEqual([
        expect.stringMatching(/^PORT /),
        expect.stringMatching(/^BACKUP_DIR must be a writable folder: .*a-file/),
      ])
    }
  })

  it.each(['~', '~/staffbook', '~ada/x', '$HOME/x', `\${STATE_DIRECTORY}/x`, '%APPDATA%\\x'])(
    'refuses the path %s, which no shell has expanded',
    (path) => {
      const problems = problemsOf({ DATA_DIR: path, BACKUP_DIR: path, RECORDS_KEY_FILE: path })
      expect(problems.map((problem) => problem.split(' ')[0]).sort()).toEqual([
        'BACKUP_DIR',
        'DATA_DIR',
        'RECORDS_KEY_FILE',
      ])
      expect(problems[0]).toContain('Write the whole path')
      expect(existsSync(path)).toBe(false)
    },
  )

  it.each(['./~', 'data/~x', '/srv/$x', '/srv/%x%', '~x~', '$'])('accepts the path %s', (DATA_DIR) => {
    expect(readConfig({ DATA_DIR }).dataDir).toBe(DATA_DIR)
  })

  it('with a PostgreSQL URL, reads BACKUP_DIR and does not create it', () => {
    const environment = { DATABASE_URL: 'postgres://staffbook:secret@db.example:5432/staffbook' }
    expect(readConfig(environment).databaseUrl).toBe(environment.DATABASE_URL)
    expect(readConfig({ ...environment, BACKUP_DIR: folder }).backups).toMatchObject({ folder })
    expect(problemsOf({ ...environment, BACKUP_DIR: join(folder, 'missing') })).toEqual([
      expect.stringMatching(/^BACKUP_DIR must be the folder of the dumps: .*missing/),
    ])
  })

  const urlForm = /^DATABASE_URL must be of the form postgres:/
  const exposed = [/^SIGN_UP must be set/, /^HOST is 0\.0\.0\.0.*TRUST_PROXY.*ALLOW_HTTP=yes/]
  const unset = /^SIGN_UP must be set .*\(TRUST_PROXY is set\)/
  const replaced = /^SIGN_UP must be .*invited, which replaces the former domain:/
  it.each<[what: string, environment: Record<string, string>, problems: RegExp[]]>([
    ['the former SIGN_UP', { SIGN_UP: 'domain:x.org' }, [replaced]],
    ['a proxy at any address', { TRUST_PROXY: '0.0.0.0/0', SIGN_UP: 'open' }, [/^TRUST_PROXY must be /]],
    ['two sizes of a network', { TRUST_PROXY: '10.0.0.0/8/9', SIGN_UP: 'open' }, [/^TRUST_PROXY must be /]],
    ['an invalid key', { RECORDS_KEY: 'too short a secret' }, [/^RECORDS_KEY must hold 32 bytes/]],
    ['a missing file of the key', { RECORDS_KEY_FILE: '/nowhere' }, [/^RECORDS_KEY_FILE cannot/]],
    ['no URL', { DATABASE_URL: 'secret.example' }, [urlForm]],
    ['another URL', { DATABASE_URL: 'mysql://u:secret@x/y' }, [urlForm]],
    ['neither SIGN_UP nor HTTPS, if other machines can reach the server', { HOST: '0.0.0.0' }, exposed],
    ['a proxy without SIGN_UP', { TRUST_PROXY: 'loopback' }, [unset]],
  ])('reports %s without revealing a secret', (_, environment, expected) => {
    const problems = problemsOf(environment)
    expect(problems).toEqual(expected.map((problem) => expect.stringMatching(problem)))
    expect(problems.join()).not.toContain('secret')
  })

  it.each([
    { HOST: '::', SIGN_UP: 'closed', ALLOW_HTTP: 'yes' },
    { HOST: '0.0.0.0', SIGN_UP: 'open', TRUST_PROXY: '10.0.0.1' },
    { TRUST_PROXY: 'loopback', SIGN_UP: 'closed' },
    ...['localhost', '127.0.0.2', '::1'].map((HOST) => ({ HOST })),
  ])('accepts %j', (environment: Record<string, string>) => {
    expect(problemsOf(environment)).toEqual([])
  })
})
