import type { DatabaseSync } from 'node:sqlite'
import type { Account, AuthenticatedSession, Session, SessionStorage } from '../storage.ts'
import type { Write } from './writer/client.ts'

export function createSessionStorage(reader: DatabaseSync, write: Write): SessionStorage {
  const selectSession = reader.prepare(
    `SELECT hash, lastSeenAt, sessions.createdAt AS since, accounts.*
     FROM sessions JOIN accounts USING (uid) WHERE hash = ?`,
  )
  const selectEnded = reader.prepare(
    `SELECT value FROM json_each(?) WHERE NOT EXISTS (
       SELECT 1 FROM sessions WHERE hash = value AND createdAt >= ? AND lastSeenAt >= ?)`,
  )
  const selectAddress = reader.prepare('SELECT 1 FROM signedInFrom WHERE hash = ?')
  const selectByAccount = reader.prepare('SELECT * FROM sessions WHERE uid = ? ORDER BY createdAt')
  return {
    add: (session: Session, passwordHash: string, addressHash?: string) =>
      write('addSession', session, passwordHash, addressHash),
    isRemembered: (addressHash: string) => selectAddress.get(addressHash) !== undefined,
    find(hash: string): AuthenticatedSession | undefined {
      const row = selectSession.get(hash) as
        | (Account & { hash: string; lastSeenAt: number; since: number })
        | undefined
      if (!row) return
      const { hash: found, lastSeenAt, since, ...account } = row
      return { session: { hash: found, uid: account.uid, createdAt: since, lastSeenAt }, account }
    },
    listByAccount: async (uid: string) => selectByAccount.all(uid) as unknown as Session[],
    touch: (hash: string, lastSeenAt: number) => write('touchSession', hash, lastSeenAt),
    end: (hashes: string[]) => write('endSessions', hashes),
    endAll: (uid: string) => write('endAllSessions', uid),
    findEnded: async (hashes: string[], createdBefore: number, seenBefore: number) =>
      selectEnded.all(JSON.stringify(hashes), createdBefore, seenBefore).map(({ value }) => String(value)),
    endExpired: (createdBefore: number, seenBefore: number) =>
      write('endExpiredSessions', createdBefore, seenBefore),
  }
}
