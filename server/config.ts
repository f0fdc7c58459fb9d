import { isIP } from 'node:net'
import { parseSignUp, type SignUp } from './auth/sign-up.ts'
import { type BackupSettings, makeBackupFolder } from './process/nightly-backup.ts'
import { readKey } from './storage/encryption/read-records-key.ts'

/** Where the register lies. */
export interface Place {
  dataDir: string
  /** The PostgreSQL that keeps the register; without one, `dataDir` does. It may hold a password. */
  databaseUrl: string | undefined
}

export interface Config extends Place {
  port: number
  host: string
  signUp: SignUp
  trustProxy: string[] | false
  /** Nobody but this machine is meant to reach it. */
  localOnly: boolean
  logLevel: string
  /** Seals the records' fields; plain without one. */
  recordsKey: Uint8Array | undefined
  backups: BackupSettings | undefined
}

/** One or more environment variables cannot be used; the message names all of them. */
export class ConfigError extends Error {
  constructor(problems: string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigError'
  }
}

type Environment = Record<string, string | undefined>

const reader = (environment: Environment) => (name: string) => environment[name]?.trim() || undefined

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** Reads the environment once, and makes BACKUP_DIR; an empty variable counts as not set. Throws `ConfigError`. */
export function readConfig(environment: Environment): Config {
  const problems: string[] = []
  const read = reader(environment)

  function parsed<T>(name: string, fallback: T, parse: (text: string) => T | undefined, expected: string): T {
    const text = read(name)
    if (text === undefined) return fallback
    const value = parse(text)
    if (value === undefined) problems.push(`${name} must be ${expected}; it is "${text}".`)
    return value ?? fallback
  }

  function orProblem<T>(work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      problems.push((error as Error).message)
      return
    }
  }

  const port = parsed('PORT', 3000, parsePort, 'a number from 0 to 65535')
  const host = read('HOST') ?? '127.0.0.1'
  const signUp = parsed<SignUp>(
    'SIGN_UP',
    { mode: 'open' },
    parseSignUp,
    'open, closed or domain:example.com[,example.org]',
  )
  const trustProxy = parsed<Config['trustProxy']>(
    'TRUST_PROXY',
    false,
    parseProxies,
    "the proxies' addresses, as in 10.0.0.5,192.168.0.0/16 or loopback",
  )
  const logLevel = parsed(
    'LOG_LEVEL',
    'info',
    (text) => logLevels.find((level) => level === text),
    logLevels.join(', '),
  )
  const keep = parsed('BACKUP_KEEP', 14, parseCount, 'a number from 1')
  const allowHttp = parsed('ALLOW_HTTP', false, (text) => text === 'yes' || undefined, 'yes, or not set')
  const recordsKey = orProblem(() => readKey(environment))
  const place = orProblem(() => readPlace(environment))
  const backupDir = read('BACKUP_DIR')
  const localOnly = isLoopback(host) && !read('TRUST_PROXY')

  if (read('DATABASE_URL') && backupDir) {
    problems.push(
      'BACKUP_DIR keeps copies of an embedded register, and DATABASE_URL is set: please unset it, and have pg_dump run each night (docs/operations.md).',
    )
  } else if (backupDir) {
    try {
      makeBackupFolder(backupDir)
    } catch (error) {
      problems.push(`BACKUP_DIR must be a folder to write into: ${(error as Error).message}.`)
    }
  }
  if (!localOnly && !read('SIGN_UP')) {
    const how = isLoopback(host) ? 'TRUST_PROXY is set' : `HOST is ${host}`
    problems.push(
      `SIGN_UP must be set where others can reach the server (${how}): whoever signs up reads every record. Choose closed, domain:example.com or open.`,
    )
  }
  if (!isLoopback(host) && trustProxy === false && !allowHttp) {
    problems.push(
      `HOST is ${host}, and passwords would travel readable. Put a proxy with HTTPS before it and name the proxy in TRUST_PROXY, or accept that with ALLOW_HTTP=yes.`,
    )
  }
  if (!place || problems.length > 0) throw new ConfigError(problems)
  const backups = backupDir ? { folder: backupDir, keep } : undefined
  return { ...place, port, host, signUp, trustProxy, localOnly, logLevel, recordsKey, backups }
}

/** Reads where the register lies. Throws a `ConfigError` where DATABASE_URL is no PostgreSQL's address. */
export function readPlace(environment: Environment): Place {
  const read = reader(environment)
  const databaseUrl = read('DATABASE_URL')
  if (databaseUrl !== undefined && !isDatabaseUrl(databaseUrl)) {
    // It may hold a password, so it is not shown.
    throw new ConfigError(['DATABASE_URL must be of the form postgres://user:password@host:5432/database.'])
  }
  return { dataDir: read('DATA_DIR') ?? './data', databaseUrl }
}

function isDatabaseUrl(text: string): boolean {
  return URL.canParse(text) && ['postgres:', 'postgresql:'].includes(new URL(text).protocol)
}

function parsePort(text: string): number | undefined {
  const port = Number(text)
  return /^\d+$/.test(text) && port <= 65_535 ? port : undefined
}

function parseCount(text: string): number | undefined {
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined
}

function parseProxies(text: string): string[] | undefined {
  const proxies = text.split(',').map((proxy) => proxy.trim())
  return proxies.every(isProxy) ? proxies : undefined
}

function isProxy(text: string): boolean {
  const [address = '', bits] = text.split('/')
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true
  return (
    isIP(address) > 0 &&
    (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (isIP(address) === 4 ? 32 : 128)))
  )
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}
