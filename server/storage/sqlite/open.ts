import { sealingWith } from '../encryption/field-encryption.ts'
import type { BookChange, Storage } from '../storage.ts'
import { accountsOn } from './accounts.ts'
import { connect } from './connect.ts'
import { claimFolder } from './data-dir.ts'
import { readBooks, writeBooks } from './employees.ts'
import { sessionsOn } from './sessions.ts'
import { bookChanges } from './writer/changes.ts'
import { startWriter } from './writer/client.ts'
import type { WriterSettings } from './writer/messages.ts'

export interface SqliteOptions extends Omit<WriterSettings, 'file'> {
  folder: string
  maxWaiting?: number
}

/**
 * Opens the register in a folder, which is this process's alone until `close`. Writes go through one thread; reads
 * use a connection of their own on this thread. Throws `FolderError`.
 */
export async function openSqlite({ folder, maxWaiting, ...settings }: SqliteOptions): Promise<Storage> {
  const { file, release } = claimFolder(folder, settings.key)
  const followers: ((changes: BookChange[]) => void)[] = []
  const { write, ...writer } = startWriter(
    { file, ...settings },
    {
      ...(maxWaiting === undefined ? {} : { maxWaiting }),
      onAnswers(answered) {
        const changes = answered.flatMap(({ command, value }) => bookChanges(command, value))
        if (changes.length > 0) for (const follower of followers) follower(changes)
      },
    },
  )
  const reader = connect(file, { readOnly: true })
  return {
    books: {
      ...readBooks(reader, sealingWith(settings.key)),
      ...writeBooks(write),
      follow: (listener) => void followers.push(listener),
    },
    accounts: accountsOn(reader, write),
    sessions: sessionsOn(reader, write),
    failed: writer.failed,
    ping: async () => void reader.prepare('SELECT 1').get(),
    async close() {
      // The last connection to close moves the log into the register, which a reading one cannot.
      reader.close()
      await writer.close()
      release()
    },
  }
}
