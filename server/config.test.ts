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

  it('reads an address of IPv6 in brackets, as in a URL', () => {
    expect(readConfig({ HOST: '[::1]' })).toMatchObject({ host: '::1', localOnly: true })
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
      sessionDays: undefined,
      sso: undefined,
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
      SESSION_DAYS: '1',
      OIDC_ISSUER: 'https://login.example.com/realms/staff/',
      OIDC_CLIENT_ID: 'staffbook',
      OIDC_CLIENT_SECRET: 'secret',
      OIDC_REQUIRE: 'groups=a, groups=cn=b\\,dc=example,hd=example.com',
      OIDC_ONLY: 'yes',
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
      sessionDays: 1,
      sso: {
        issuer: new URL('https://login.example.com/realms/staff/'),
        clientId: 'staffbook',
        clientSecret: 'secret',
        name: 'login.example.com',
        scopes: 'openid email',
        required: new Map([
          ['groups', ['a', 'cn=b,dc=example']],
          ['hd', ['example.com']],
        ]),
        trustsEmail: false,
        admitsAll: false,
        isOnly: true,
        redirectUri: 'https://staff.example.com/signin',
      },
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

  it('refuses quotation marks around a value, which files of settings may pass on', () => {
    const environment = {
      PORT: "'4000'",
      SIGN_UP: '"invited"',
      HOST: '"0.0.0.0"',
      TRUST_PROXY: '"loopback"',
      PUBLIC_URL: '"https://staff.example.com"',
      DATA_DIR: '"/srv/staffbook"',
    }
    const expected = Object.keys(environment).map(
      (name) => `${name} has quotation marks around its value, which nothing has removed. Leave them out.`,
    )
    expect(problemsOf(environment).sort()).toEqual(expected.sort())
    expect(problemsOf({ DATABASE_URL: '"postgres://staffbook:secret@db/staffbook"' })).toEqual([
      'DATABASE_URL has quotation marks around its value, which nothing has removed. Leave them out.',
    ])
  })

  it.each(['\ufeffSIGN_UP', 'export SIGN_UP', 'SIGN_UP ', '\ufeffexport SIGN_UP', ' SIGN_UP'])(
    'refuses "%s", which a file of settings may pass on as the name of a setting',
    (name) => {
      const problem =
        'SIGN_UP is set with a byte order mark, a space or "export" beside its name, so nothing has read it. Write the name alone.'
      expect(problemsOf({ [name]: 'invited' })).toEqual([problem])
      expect(problemsOf({ [name]: 'invited', SIGN_UP: 'invited' })).toEqual([problem])
      expect(problemsOf({ [name.replace('SIGN_UP', 'MY_SIGN_UP')]: 'invited' })).toEqual([])
    },
  )

  it('refuses variables in a value that nothing has replaced', () => {
    const variable = `\${NAME}`
    const missing = join(folder, variable)
    const environment = {
      PUBLIC_URL: `https://${variable}`,
      OIDC_CLIENT_ID: variable,
      DATA_DIR: `/srv/${variable}/data`,
      BACKUP_DIR: join(missing, 'backups'),
    }
    const problems = problemsOf(environment)
    for (const name of Object.keys(environment))
      expect(problems).toContain(`${name} has ${variable} in its value, which nothing has replaced.`)
    expect(existsSync(missing)).toBe(false)
  })

  it('security: refuses settings of single sign-on that cannot be meant, in words', () => {
    const given = (more: Record<string, string>) =>
      problemsOf({
        OIDC_ISSUER: 'https://login.example.com',
        OIDC_CLIENT_ID: 'x',
        PUBLIC_URL: 'https://staff.example.com',
        ...more,
      })
    const common = 'https://login.microsoftonline.com/common/v2.0'
    const cases: [Record<string, string>, string][] = [
      [{ OIDC_ISSUER: '' }, 'OIDC_CLIENT_ID is set, but not OIDC_ISSUER'],
      [{ OIDC_ISSUER: 'http://login.example.com' }, 'OIDC_ISSUER must be the https://'],
      [{ OIDC_ISSUER: 'https://login.example.com/.well-known/openid-configuration' }, 'OIDC_ISSUER must be'],
      [{ OIDC_ISSUER: 'https://user:secret@login.example.com' }, 'OIDC_ISSUER must be'],
      [{ OIDC_ISSUER: common }, 'OIDC_ISSUER must be that of your own tenant'],
      [{ OIDC_ISSUER: common.toUpperCase() }, 'OIDC_ISSUER must be that of your own tenant'],
      [
        { OIDC_ISSUER: 'https://accounts.google.com', OIDC_SIGN_UP: 'yes' },
        'OIDC_SIGN_UP=yes needs OIDC_REQUIRE',
      ],
      [{ OIDC_CLIENT_ID: '' }, 'OIDC_CLIENT_ID must be set'],
      [{ PUBLIC_URL: '' }, 'PUBLIC_URL must be set'],
      [{ OIDC_SCOPES: 'email' }, 'OIDC_SCOPES must include openid'],
      [{ OIDC_REQUIRE: 'staff' }, 'OIDC_REQUIRE must be like groups=staff'],
      [{ OIDC_ONLY: 'true' }, 'OIDC_ONLY must be yes, or not set'],
      [{ OIDC_NAME: 'x'.repeat(41) }, 'OIDC_NAME must have at most 40'],
      [{ OIDC_CLIENT_SECRET_FILE: join(folder, 'missing') }, 'OIDC_CLIENT_SECRET_FILE: there is no file'],
      [{ SESSION_DAYS: '31' }, 'SESSION_DAYS must be a number of days from 1 to 30'],
    ]
    for (const [settings, problem] of cases)
      expect([settings, given(settings)]).toEqual([settings, [expect.stringContaining(problem)]])
    const file = join(folder, 'secret')
    writeFileSync(file, 'secret\n')
    const secret = { OIDC_CLIENT_SECRET: 'secret', OIDC_CLIENT_SECRET_FILE: file }
    expect(given(secret)).toEqual(['Set OIDC_CLIENT_SECRET or OIDC_CLIENT_SECRET_FILE, not both.'])
    const google = {
      OIDC_ISSUER: 'https://accounts.google.com',
      OIDC_SIGN_UP: 'yes',
      OIDC_REQUIRE: 'hd=example.com',
    }
    for (const accepted of [
      google,
      { OIDC_ISSUER: 'http://localhost:8080/realms/x' },
      { OIDC_CLIENT_SECRET_FILE: file },
    ])
      expect(given(accepted as Record<string, string>)).toEqual([])
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

  it.each(['~', '~/staffbook', '~ada/x', '$HOME/x', `\${STATE_DIRECTORY}/x`, '%APPDATA%\\x', '%h/x'])(
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
    [
      'a key without an end',
      { RECORDS_KEY_FILE: '/dev/zero' },
      [/^RECORDS_KEY_FILE cannot be read: it has more than/],
    ],
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
