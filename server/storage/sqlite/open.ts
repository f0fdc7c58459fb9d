import { changesOfCommand, createEmployeeWriter } from '../decide.ts'
import { createFieldEncryption } from '../encryption/field-encryption.ts'
import type { EmployeeChange, Storage } from '../storage.ts'
import { createAccountStorage } from './accounts.ts'
import { connect } from './connect.ts'
import { openDataDir } from './data-dir.ts'
import { createEmployeeReader } from './employees.ts'
import { createLinkStorage } from './links.ts'
import { createSessionStorage } from './sessions.ts'
import { startWriter } from './writer/client.ts'
import type { WriterSettings } from './writer/messages.ts'

export interface SqliteOptions extends Omit<WriterSettings, 'file'> {
  dataDir: string
  maxWaiting?: number
}

/**
 * Opens the database in a folder and locks the folder until `close`. Writes run on the writer thread, reads on this
 * one. Throws `DataDirError`.
 */
export async function openSqlite({ dataDir, maxWaiting, ...settings }: SqliteOptions): Promise<Storage> {
  const { file, release } = openDataDir(dataDir, settings.key)
  const listeners: ((changes: EmployeeChange[]) => void)[] = []
  const { write, ...writer } = startWriter(
    { file, ...settings },
    {
      ...(maxWaiting === undefined ? {} : { maxWaiting }),
      onResults(results) {
        const changes = results.flatMap(({ command, value }) => changesOfCommand(command, value))
        if (changes.length > 0) for (const listener of listeners) listener(changes)
      },
    },
  )
  const reader = connect(file, { readOnly: true })
  return {
    employees: {
      ...createEmployeeReader(reader, createFieldEncryption(settings.key)),
      ...createEmployeeWriter(write),
      subscribe: (listener) => void listeners.push(listener),
    },
    accounts: createAccountStorage(reader, write),
    sessions: createSessionStorage(reader, write),
    links: createLinkStorage(reader, write),
    failed: writer.failed,
    ping: async () => void reader.prepare('SELECT 1').get(),
    async close() {
      // The last connection to close checkpoints the WAL, which a read-only connection cannot do.
      reader.close()
      await writer.close()
      release()
    },
  }
}
