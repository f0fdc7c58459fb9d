import { isIP } from 'node:net'
import { identityPolicySchema, type SignUpPolicy } from '../contract/accounts.ts'
import { OperatorError } from './app-error.ts'
import { readSsoSettings, type SsoSettings } from './auth/sso/settings.ts'
import { requireExpandedPath } from './expanded-path.ts'
import type { Address } from './metrics/metrics.ts'
import { type BackupSettings, ensureBackupFolder, findBackups } from './process/daily-backups.ts'
import { defaultRetention } from './records/history/retention.ts'
import { durabilitySettings, parseDatabaseUrl } from './storage/database-settings.ts'
import { readRecordsKey } from './storage/encryption/read-records-key.ts'
import { explainDenied } from './storage/files.ts'

export type Config = ReturnType<typeof readConfig>

/** What a variable must be. `parse` returns undefined if a text is not that. */
interface Kind<T> {
  expected: string
  parse(text: string): T | undefined
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

const kinds = {
  port: numberFrom(0, 65_535),
  signUp: {
    expected: 'open, closed or invited, which replaces the former domain:…',
    parse: oneOf(identityPolicySchema.properties.signUp.enum),
  },
  proxies: {
    expected: 'the addresses of proxies, such as 10.0.0.5,192.168.0.0/16 or loopback',
    parse: (text: string) => parseList(text, isProxy),
  },
  logLevel: { expected: `one of ${logLevels.join(', ')}`, parse: oneOf(logLevels) },
  publicUrl: {
    expected: 'the address of the page, such as https://staff.example.com',
    parse: parsePublicUrl,
  },
  address: { expected: 'an address and a port, such as 127.0.0.1:9100', parse: parseAddress },
  unsafeSettings: {
    expected: `among ${durabilitySettings.join(', ')}`,
    parse: (text: string) => parseList(text, (name) => durabilitySettings.includes(name)),
  },
  sessionDays: numberFrom(1, 30, 'a number of days'),
  days: numberFrom(0, 36_500, 'a number of days'),
  megabytes: numberFrom(1, 999_999, 'a number of megabytes'),
  backups: numberFrom(1, 999_999),
}

/** Reads the environment and creates BACKUP_DIR. An empty variable counts as not set. Throws one error for all problems. */
export function readConfig(environment: NodeJS.ProcessEnv) {
  const reader = createReader(environment)
  const { read, parse, attempt, problems } = reader
  const host = toOneAddress(read('HOST') ?? '127.0.0.1')
  const { deletedDays, activityDays } = defaultRetention
  const settings = {
    port: parse('PORT', 3000, kinds.port),
    host,
    signUp: parse<SignUpPolicy>('SIGN_UP', 'open', kinds.signUp),
    trustProxy: parse<string[] | false>('TRUST_PROXY', false, kinds.proxies),
    /** Whether only clients on this machine can reach the server. */
    localOnly: isLoopback(host) && !read('TRUST_PROXY'),
    logLevel: parse('LOG_LEVEL', 'info', kinds.logLevel),
    publicUrl: parse('PUBLIC_URL', undefined, kinds.publicUrl),
    sessionDays: parse('SESSION_DAYS', undefined, kinds.sessionDays),
    metrics: parse('METRICS', undefined, kinds.address),
    durability: {
      allowedOff: parse('ALLOW_UNSAFE_DATABASE', [], kinds.unsafeSettings),
      hasSynchronousStandby: parse('DATABASE_STANDBY', false, switchFor('synchronous')),
    },
    retention: {
      deletedDays: parse('DELETED_DAYS', deletedDays, kinds.days),
      activityDays: parse('ACTIVITY_DAYS', activityDays, kinds.days),
    },
    /** The size of the register beyond which it does not grow, in bytes; see `RegisterSize`. */
    maxBytes: 2 ** 20 * parse('MAX_REGISTER_MB', 200, kinds.megabytes),
    /** Key for encrypting the records; undefined to store them in plain text. */
    recordsKey: attempt(() => readRecordsKey(environment)),
  }
  const dataLocation = attempt(() => readDataLocation(environment))
  const backups = readBackupSettings(reader)
  const sso = readSsoSettings(reader, settings.publicUrl)
  requireProtection(reader, settings)
  if (!dataLocation || problems.length > 0) throw new OperatorError(problems.join('\n'))
  return { ...dataLocation, ...settings, backups, sso }
}

function readBackupSettings({ read, parse, attempt, problems }: Reader): BackupSettings | undefined {
  const maxBackups = parse('BACKUP_KEEP', 14, kinds.backups)
  const given = read('BACKUP_DIR')
  const folder = given && attempt(() => requireExpandedPath('BACKUP_DIR', given))
  if (!folder) return
  const isReadOnly = read('DATABASE_URL') !== undefined
  try {
    if (isReadOnly) findBackups(folder)
    else ensureBackupFolder(folder)
  } catch (error) {
    const kind = isReadOnly ? 'the folder of the dumps' : 'a writable folder'
    const text = `BACKUP_DIR must be ${kind}: ${(error as Error).message}`
    const explained = isReadOnly ? text : explainDenied(text, [folder])
    problems.push(explained === text ? `${text}.` : explained)
  }
  return { folder, maxBackups }
}

/** Reports settings that would let others read the records or passwords by mistake. */
function requireProtection(
  { read, parse, problems }: Reader,
  { host, localOnly, trustProxy }: Pick<Config, 'host' | 'localOnly' | 'trustProxy'>,
): void {
  const allowHttp = parse('ALLOW_HTTP', false, switchFor('yes'))
  if (!localOnly && !read('SIGN_UP')) {
    const reason = isLoopback(host) ? 'TRUST_PROXY is set' : `HOST is ${host}`
    problems.push(
      `SIGN_UP must be set if others can reach the server (${reason}), because every account can read every record. Choose invited, closed or open.`,
    )
  }
  if (!isLoopback(host) && trustProxy === false && !allowHttp) {
    problems.push(
      `HOST is ${host}, so passwords would be sent unencrypted. Run an HTTPS proxy and set TRUST_PROXY to its address, or accept the risk with ALLOW_HTTP=yes.`,
    )
  }
}

type Reader = ReturnType<typeof createReader>

/** Shells remove quotation marks around a value, and replace variables; `docker run --env-file` and others do neither. */
const quotedPattern = /^(["'])(.*)\1$/s
const variablePattern = /\$\{[A-Za-z_]\w*\}/
/** What a file of settings may have beside a name: a byte order mark before the first one, spaces, and a word of shells. */
const besideName = /^\ufeff?\s*(export\s+)?|\s+$/g

/** Reports what a shell would have changed, without the value, which may be a secret. Returns a quoted value without its marks. */
function createRead(environment: NodeJS.ProcessEnv, report: (problem: string) => void = fail) {
  const names = Object.keys(environment)
  /** The settings that are set with something beside their names. */
  const misspelled = new Set(
    names.map((name) => name.replace(besideName, '')).filter((name, i) => name !== names[i]),
  )
  return (name: string): string | undefined => {
    if (misspelled.has(name))
      report(
        `${name} is set with a byte order mark, a space or "export" beside its name, so nothing has read it. Write the name alone.`,
      )
    const text = environment[name]?.trim() ?? ''
    const [, , content = text] = quotedPattern.exec(text) ?? []
    if (content !== text)
      report(`${name} has quotation marks around its value, which nothing has removed. Leave them out.`)
    const [variable] = variablePattern.exec(content) ?? []
    if (!variable) return content || undefined
    report(`${name} has ${variable} in its value, which nothing has replaced.`)
    return
  }
}

function fail(problem: string): never {
  throw new OperatorError(problem)
}

function createReader(environment: NodeJS.ProcessEnv) {
  const problems: string[] = []
  const read = createRead(environment, (problem) => problems.includes(problem) || problems.push(problem))

  return {
    problems,
    read,

    /** Returns the parsed variable, or the fallback if it is not set or invalid. */
    parse<T>(name: string, fallback: T, { expected, parse }: Kind<T>): T {
      const text = read(name)
      if (text === undefined) return fallback
      const value = parse(text)
      if (value === undefined) problems.push(`${name} must be ${expected}; it is "${text}".`)
      return value ?? fallback
    },

    attempt<T>(work: () => T): T | undefined {
      try {
        return work()
      } catch (error) {
        problems.push((error as Error).message)
        return
      }
    },
  }
}

/**
 * Returns the folder of the SQLite database, and the connection URL of PostgreSQL, which may contain a password; undefined for
 * SQLite. Throws `OperatorError` if it is invalid.
 */
export function readDataLocation(environment: NodeJS.ProcessEnv) {
  const read = createRead(environment)
  const databaseUrl = read('DATABASE_URL')
  if (databaseUrl !== undefined && !isDatabaseUrl(databaseUrl)) {
    // The message omits the value because it may contain a password.
    throw new OperatorError(
      'DATABASE_URL must be of the form postgres://user:password@host:5432/database. In the password, write % as %25, # as %23, / as %2F and ? as %3F.',
    )
  }
  return { dataDir: requireExpandedPath('DATA_DIR', read('DATA_DIR') ?? './data'), databaseUrl }
}

/** Returns the settings of single sign-on as a server reads them. Throws `OperatorError`. */
export function readSso(environment: NodeJS.ProcessEnv): SsoSettings | undefined {
  const reader = createReader(environment)
  const sso = readSsoSettings(reader, reader.parse('PUBLIC_URL', undefined, kinds.publicUrl))
  if (reader.problems.length > 0) throw new OperatorError(reader.problems.join('\n'))
  return sso
}

/** Where people open the page, for links: `url`, or else PUBLIC_URL, or else the address on this machine. Throws `OperatorError`. */
export function readPageUrl(environment: NodeJS.ProcessEnv, url?: string): string {
  const read = createRead(environment)
  const text = url ?? read('PUBLIC_URL') ?? `http://localhost:${read('PORT') ?? 3000}`
  const parsed = parsePublicUrl(text)
  if (!parsed) {
    throw new OperatorError(
      `The address of the page must be like https://staff.example.com; it is "${text}".`,
    )
  }
  // The page is served from the root of its host.
  return parsed.origin
}

function isDatabaseUrl(text: string): boolean {
  try {
    return parseDatabaseUrl(text).length > 0
  } catch {
    return false
  }
}

function oneOf<T extends string>(names: readonly T[]) {
  return (text: string) => names.find((name) => name === text)
}

/** A switch, which is on if it has this text. */
function switchFor(expected: string): Kind<boolean> {
  return { expected: `${expected}, or not set`, parse: (text) => text === expected || undefined }
}

function numberFrom(least: number, most: number, what = 'a number'): Kind<number> {
  return {
    expected: `${what} from ${least} to ${most}`,
    parse: (text) =>
      /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined,
  }
}

function parseList(text: string, isValid: (item: string) => boolean): string[] | undefined {
  const items = text.split(',').map((item) => item.trim())
  return items.every(isValid) ? items : undefined
}

/** `[::1]:9100` for IPv6. */
function parseAddress(text: string): Address | undefined {
  const [, bracketed, host = bracketed, digits = ''] = /^(?:\[(.+)\]|([^:]+)):(\d+)$/.exec(text) ?? []
  const port = kinds.port.parse(digits)
  return host === undefined || port === undefined ? undefined : { host, port }
}

function isProxy(text: string): boolean {
  const [address = '', ...bits] = text.split('/')
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true
  const max = isIP(address) === 4 ? 32 : 128
  return isIP(address) > 0 && (bits.length === 0 || numberFrom(1, max).parse(bits.join('/')) !== undefined)
}

/** `https://https://…` would be a host called `https`. */
function parsePublicUrl(text: string): URL | undefined {
  const url = URL.parse(text)
  return url && /^https?:\/\/[^/]+\/(?!\/)/.test(url.href) ? url : undefined
}

/**
 * Fastify starts a second server for `localhost`, which would not have the limits of connections. An address of IPv6 may have
 * brackets, as in a URL.
 */
const toOneAddress = (host: string) => host.replace(/^localhost$/i, '127.0.0.1').replace(/^\[(.+)\]$/, '$1')

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}
