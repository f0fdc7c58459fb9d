import type { DatabaseSync } from 'node:sqlite'
import type { Account, AccountStorage, PasswordReplacement } from '../storage.ts'
import type { Write } from './writer/client.ts'

export function createAccountStorage(reader: DatabaseSync, write: Write): AccountStorage {
  const selectByEmailKey = reader.prepare('SELECT * FROM accounts WHERE emailKey = ?')
  const selectLastSeen = reader.prepare('SELECT uid, at FROM lastSeen')
  const selectAll = reader.prepare('SELECT * FROM accounts ORDER BY createdAt, uid')
  return {
    add: (account: Account, by?: string) => write('addAccount', account, by),
    findByEmailKey: async (emailKey: string) =>
      selectByEmailKey.get(emailKey) as unknown as Account | undefined,
    list: async () => selectAll.all() as unknown as Account[],
    listLastSeen: async () => new Map(selectLastSeen.all().map(({ uid, at }) => [String(uid), Number(at)])),
    setPasswordHash: (uid: string, passwordHash: string, expectedHash?: string) =>
      write('setPasswordHash', uid, passwordHash, expectedHash),
    replacePassword: (replacement: PasswordReplacement) => write('replacePassword', replacement),
    remove: (uid: string) => write('removeAccount', uid),
  }
}
