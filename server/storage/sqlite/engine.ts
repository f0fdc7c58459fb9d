import { DatabaseSync } from 'node:sqlite'

/** The Node that runs this cannot keep a register; the message says which one can. */
export class UnsupportedNodeError extends Error {
  constructor() {
    super(
      `Node ${process.versions.node} cuts text short in its SQLite. Please use Node 24.16 or newer, but neither 25 nor 26.0.`,
    )
    this.name = 'UnsupportedNodeError'
  }
}

/**
 * Throws `EngineError` where text does not come back whole from the database: before 24.16 and 26.1 node:sqlite cuts it
 * at U+0000. Whatever else we need of Node is in every one that passes.
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
