import type { Config } from '../config.ts'
import { findPatchedNode } from '../node-versions.js'

/** What an operator should change, one sentence or two each, for the log at start. */
export function findStartWarnings(config: Config, nodeVersion = process.versions.node): string[] {
  const { signUp, localOnly, databaseUrl, backups } = config
  const patched = findPatchedNode(nodeVersion)
  return [
    ...(patched
      ? [
          `Node ${nodeVersion} has known vulnerabilities. Serve on ${patched} or newer: see docs/operations.md.`,
        ]
      : []),
    ...(signUp.mode === 'domain' ? [unverifiedDomain] : []),
    ...(!localOnly && databaseUrl === undefined && !backups ? [noBackups] : []),
  ]
}

const unverifiedDomain =
  'SIGN_UP=domain:… does not restrict access: emails are not verified, so anyone can sign up with an invented address of that domain and read every record. If strangers can reach this server, use SIGN_UP=invited.'

const noBackups =
  'BACKUP_DIR is not set, so there are no daily backups: a lost disk loses every record. Set it to a folder on another disk.'
