import type { Config } from '../config.ts'
import { findPatchedNode } from '../node-versions.js'

/** What an operator should change, one sentence or two each, for the log at start. */
export function findStartWarnings(config: Config, nodeVersion = process.versions.node): string[] {
  const { localOnly, databaseUrl, backups } = config
  const patched = findPatchedNode(nodeVersion)
  return [
    ...(patched
      ? [
          `Node ${nodeVersion} has known vulnerabilities. Serve on ${patched} or newer: see docs/operations.md.`,
        ]
      : []),
    ...(!localOnly && databaseUrl === undefined && !backups ? [noBackups] : []),
  ]
}

const noBackups =
  'BACKUP_DIR is not set, so there are no daily backups: a lost disk loses every record. Set it to a folder on another disk.'
