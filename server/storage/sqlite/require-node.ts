import { DatabaseSync } from 'node:sqlite'
import { OperatorError } from '../../app-error.ts'
import { supportedNodes } from '../../node-versions.js'

/**
 * Throws `OperatorError` if node:sqlite truncates text at U+0000, as it does before 24.16 and 26.1. Every
 * version that passes has all other features that Staffbook needs.
 */
export function requireSupportedNode(roundTrip: (text: string) => unknown = roundTripThroughSqlite): void {
  const text = 'before\0after'
  if (roundTrip(text) === text) return
  const version = process.versions.node
  throw new OperatorError(`Node ${version} has a bug that truncates text in SQLite. Use ${supportedNodes}.`)
}

function roundTripThroughSqlite(text: string): unknown {
  using database = new DatabaseSync(':memory:')
  return database.prepare('SELECT ? AS text').get(text)?.text
}
