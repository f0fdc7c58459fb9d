import { isIP } from 'node:net'
import { parseSignUpPolicy, type SignUpPolicy } from './auth/sign-up.ts'
import { type BackupSettings, ensureBackupFolder } from './process/nightly-backup.ts'
import { readRecordsKey } from './storage/encryption/read-records-key.ts'

/** Where the register lies. */
export interface DataLocation {
  dataDir: string
  /** The PostgreSQL that keeps the register; without one, `dataDir` does. It may hold a password. */
  databaseUrl: string | undefined
}

export interface Config extends DataLocation {
  port: number
  host: string
  signUp: SignUpPolicy
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

const createReader = (environment: Environment) => (name: string) => environment[name]?.trim() || undefined

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** Reads the environment once, and makes BACKUP_DIR; an empty variable counts as not set. Throws `ConfigError`. */
export function readConfig(environment: Environment): Config {
  const problems: string[] = []
  const read = createReader(environment)

  function parseVariable<T>(
    name: string,
    fallback: T,
    parse: (text: string) => T | undefined,
    expected: string,
  ): T {
    const text = read(name)
    if (text === undefined) return fallback
    const value = parse(text)
    if (value === undefined) problems.push(`${name} must be ${expected}; it is "${text}".`)
    return value ?? fallback
  }

  function tryOrAddProblem<T>(work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      problems.push((error as Error).message)
      return
    }
  }

  const port = parseVariable('PORT', 3000, parsePort, 'a number from 0 to 65535')
  const host = read('HOST') ?? '127.0.0.1'
  const signUp = parseVariable<SignUpPolicy>(
    'SIGN_UP',
    { mode: 'open' },
    parseSignUpPolicy,
    'open, closed or domain:example.com[,example.org]',
  )
  const trustProxy = parseVariable<Config['trustProxy']>(
    'TRUST_PROXY',
    false,
    parseProxies,
    "the proxies' addresses, as in 10.0.0.5,192.168.0.0/16 or loopback",
  )
  const logLevel = parseVariable(
    'LOG_LEVEL',
    'info',
    (text) => logLevels.find((level) => level === text),
    logLevels.join(', '),
  )
  const backupCount = parseVariable('BACKUP_KEEP', 14, parsePositiveInteger, 'a number from 1')
  const allowHttp = parseVariable(
    'ALLOW_HTTP',
    false,
    (text) => text === 'yes' || undefined,
    'yes, or not set',
  )
  const recordsKey = tryOrAddProblem(() => readRecordsKey(environment))
  const dataLocation = tryOrAddProblem(() => readDataLocation(environment))
  const backupDir = read('BACKUP_DIR')
  const localOnly = isLoopback(host) && !read('TRUST_PROXY')

  if (read('DATABASE_URL') && backupDir) {
    problems.push(
      'BACKUP_DIR keeps copies of an embedded register, and DATABASE_URL is set: please unset it, and have pg_dump run each night (docs/operations.md).',
    )
  } else if (backupDir) {
    try {
      ensureBackupFolder(backupDir)
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
  if (!dataLocation || problems.length > 0) throw new ConfigError(problems)
  const backups = backupDir ? { folder: backupDir, keepCount: backupCount } : undefined
  return { ...dataLocation, port, host, signUp, trustProxy, localOnly, logLevel, recordsKey, backups }
}

/** Reads where the register lies. Throws a `ConfigError` where DATABASE_URL is no PostgreSQL's address. */
export function readDataLocation(environment: Environment): DataLocation {
  const read = createReader(environment)
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

function parsePositiveInteger(text: string): number | undefined {
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
