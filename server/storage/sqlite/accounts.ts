import type { DatabaseSync } from 'node:sqlite'
import type { Account, AccountStorage } from '../storage.ts'
import type { Write } from './writer/client.ts'

export function accountsOn(reader: DatabaseSync, write: Write): AccountStorage {
  const byEmailKey = reader.prepare('SELECT * FROM accounts WHERE emailKey = ?')
  const all = reader.prepare('SELECT * FROM accounts ORDER BY createdAt, uid')
  return {
    add: (account: Account) => write('addAccount', account),
    findByEmailKey: async (emailKey: string) => byEmailKey.get(emailKey) as unknown as Account | undefined,
    list: async () => all.all() as unknown as Account[],
    setPasswordHash: (uid: string, passwordHash: string, seen?: string) =>
      write('setPasswordHash', uid, passwordHash, seen),
    remove: (uid: string) => write('removeAccount', uid),
  }
}
