import { resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { pino } from 'pino'
import { findObstacle } from './auth/passkeys/site.ts'
import type { Config } from './config.ts'
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
  return `${stripVTControlCharacters(`${kind}${msg}${details}${stack}`).replaceAll(/[^\P{Cc}\n]/gu, '')}\n`
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

/** What an operator should change, one sentence or two each, for the log at start. `version` is that of Node. */
export function findStartWarnings(config: Config, version = process.versions.node): string[] {
  const { localOnly, databaseUrl, backups, publicUrl } = config
  const obstacle = publicUrl && findObstacle(publicUrl)
  const patched = findPatchedNode(version)
  const unpatched = `Node ${version} has known vulnerabilities. Serve on ${patched} or newer: see docs/operations.md.`
  return [
    ...(patched && !localOnly ? [unpatched] : []),
    ...(localOnly || backups ? [] : [databaseUrl === undefined ? noBackups : noKnownDumps]),
    ...(obstacle ? [noPasskeys[obstacle]] : []),
  ]
}

const noPasskeys = {
  'plain-http': 'PUBLIC_URL begins with http://, so browsers allow no passkeys: they need HTTPS.',
  'ip-address': 'PUBLIC_URL is an IP address, so browsers allow no passkeys: they need a name.',
}

const noBackups =
  'BACKUP_DIR is not set, so there are no daily backups: a lost disk loses every record. Set it to a folder on another disk.'

const noKnownDumps =
  'BACKUP_DIR is not set, so nobody hears if the database has no backup: a lost disk loses every record. Set it to the folder of the daily dumps: see docs/operations.md.'
