import { statfsSync } from 'node:fs'
import { resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { pino } from 'pino'
import { findObstacle } from './auth/passkeys/site.ts'
import type { Config } from './config.ts'
import { replaceControls } from './control-characters.ts'
import { findPatchedNode } from './node-versions.js'

type Stderr = Pick<NodeJS.WriteStream, 'isTTY'> & { write(text: string): unknown }

/** Writes JSON lines, or sentences if people read them. */
export function createLogger(level: string, stderr: Stderr = process.stderr) {
  const terminal = { write: (line: string) => stderr.write(toSentence(JSON.parse(line))) }
  return pino({ level }, stderr.isTTY ? terminal : stderr)
}

/** Fastify's own line repeats the address. Values may come from strangers, so they must not control the terminal. */
function toSentence({ level, time, pid, hostname, reqId, msg, err, ...fields }: Record<string, unknown>) {
  if (String(msg).startsWith('Server listening at')) return ''
  const kind = level === 40 ? 'Warning: ' : Number(level) > 40 ? 'Error: ' : ''
  const values = Object.entries(fields).map(([name, value]) => `${name} ${value}`)
  const details = values.length > 0 ? ` (${values.join(', ')})` : ''
  const stack = err ? `\n${(err as Error).stack}` : ''
  const text = stripVTControlCharacters(`${kind}${msg}${details}${stack}`)
  return `${replaceControls(text, (control) => (control === '\n' ? control : ''))}\n`
}

const signUpTexts = {
  open: (localOnly: boolean) =>
    `Everyone ${localOnly ? 'on this machine' : 'who reaches this address'} can sign up, and then read every record.`,
  invited: () => 'Anyone with an invitation can sign up: staffbook account invite prints one.',
  closed: () => 'Nobody can sign up: staffbook account add creates accounts.',
}

/** What somebody who starts the server in a terminal wants to know next, after the address. */
export function describeStart({ dataDir, databaseUrl, signUp, localOnly }: Config): string {
  const place = databaseUrl === undefined ? resolve(dataDir) : 'the PostgreSQL database of DATABASE_URL'
  return `The data is in ${place}.\n${signUpTexts[signUp](localOnly)}\nCtrl-C stops the server.`
}

/** A register is never there in the place of another without a word, as where a disk is not mounted. */
export const describeNewDatabase = (dataDir: string) =>
  `There was no database in ${resolve(dataDir)}: an empty one was created. If yours should be there, stop the server and look whether its disk or volume is mounted.`

/** What an operator should change, one sentence or two each, for the log at start. `version` is that of Node. */
export function findStartWarnings(
  config: Config,
  version = process.versions.node,
  readType = readFileSystemType,
): string[] {
  const { localOnly, dataDir, databaseUrl, backups, publicUrl } = config
  const share = databaseUrl === undefined ? networkShares.get(readType(dataDir) ?? 0) : undefined
  const isBelowPath = publicUrl !== undefined && publicUrl.pathname !== '/'
  const obstacle = publicUrl && findObstacle(publicUrl)
  const patched = findPatchedNode(version)
  const unpatched = `Node ${version} has known vulnerabilities. Serve on ${patched} or newer: see docs/operations.md.`
  return [
    ...(patched && !localOnly ? [unpatched] : []),
    ...(localOnly || backups ? [] : [databaseUrl === undefined ? noBackups : noKnownDumps]),
    ...(obstacle ? [noPasskeys[obstacle]] : []),
    ...(isBelowPath ? [pathIsLeftOut(publicUrl)] : []),
    ...(share ? [isOnShare(resolve(dataDir), share)] : []),
  ]
}

/** Names of file systems on other machines, by the numbers that Linux has for them. */
const networkShares = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0x01021997, '9P'],
])

function readFileSystemType(folder: string): number | undefined {
  try {
    return process.platform === 'linux' ? statfsSync(folder).type : undefined
  } catch {
    return undefined
  }
}

const isOnShare = (folder: string, share: string) =>
  `The data folder ${folder} is on a network share (${share}), where locks and memory that programs share do not hold as SQLite needs them: records can be lost. Move it to a disk of this machine, or use PostgreSQL with DATABASE_URL.`

const noPasskeys = {
  'plain-http': 'PUBLIC_URL begins with http://, so browsers allow no passkeys: they need HTTPS.',
  'ip-address': 'PUBLIC_URL is an IP address, so browsers allow no passkeys: they need a name.',
}

const pathIsLeftOut = ({ origin, pathname }: URL) =>
  `PUBLIC_URL has the path ${pathname}, but the page works only at the root of its host: links begin with ${origin}/. Give it a name of its own, such as staff.example.com, and leave the path out.`

const noBackups =
  'BACKUP_DIR is not set, so there are no daily backups: a lost disk loses every record. Set it to a folder on another disk.'

const noKnownDumps =
  'BACKUP_DIR is not set, so nobody hears if the database has no backup: a lost disk loses every record. Set it to the folder of the daily dumps: see docs/operations.md.'

/** The address of this machine instead of the one that stands for all, which browsers do not open. */
export const toOpenable = (address: string) => address.replace('//[::]:', '//[::1]:')
