import { DatabaseSync } from 'node:sqlite'
import { supportedNodes } from '../../node-versions.js'

/** This version of Node would damage data; the message names the versions to use. */
export class UnsupportedNodeError extends Error {
  constructor() {
    super(`Node ${process.versions.node} has a bug that truncates text in SQLite. Use ${supportedNodes}.`)
    this.name = 'UnsupportedNodeError'
  }
}

/**
 * Throws `UnsupportedNodeError` if node:sqlite truncates text at U+0000, as it does before 24.16 and 26.1. Every
 * version that passes has all other features that Staffbook needs.
 */
export function requireSupportedNode(roundTrip: (text: string) => unknown = roundTripThroughSqlite): void {
  const text = 'before\0after'
  if (roundTrip(text) !== text) throw new UnsupportedNodeError()
}

function roundTripThroughSqlite(text: string): unknown {
  const database = new DatabaseSync(':memory:')
  try {
    return database.prepare('SELECT ? AS text').get(text)?.text
  } finally {
    database.close()
  }
}
