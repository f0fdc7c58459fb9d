import type { DatabaseSync } from 'node:sqlite'
import { createEmployeeWriter, listWrites, toChange, type Writes } from '../decide.ts'
import { createFieldEncryption } from '../encryption/field-encryption.ts'
import { createSqlStorage } from '../sql/storage.ts'
import {
  type ChangeListener,
  type EmployeeChange,
  type IdentifiedBatch,
  isEmpty,
  type Storage,
  type StorageOptions,
} from '../storage.ts'
import { type ConnectOptions, connect } from './connect.ts'
import { isNearlyFull, openDataDir } from './data-dir.ts'
import { createEmployeeReader } from './employees.ts'
import { createRunCommand } from './run-command.ts'
import { startWriter } from './writer/client.ts'
import type { WriterSettings } from './writer/messages.ts'

export interface SqliteOptions extends StorageOptions, Pick<ConnectOptions, 'synchronous'> {
  dataDir: string
  onWarning?: (message: string) => void
}

/**
 * Opens the database in a folder and locks the folder until `close`. Writes run on the writer thread, reads on this
 * one. Throws `StorageOpenError`.
 */
export async function openSqlite(options: SqliteOptions): Promise<Storage> {
  const {
    dataDir,
    key,
    keepDeleted = true,
    maxBytes = Number.POSITIVE_INFINITY,
    synchronous = 'FULL',
  } = options
  // The writer thread checks the rest of the file while this one reads the list.
  const { file, lock, warning, release } = openDataDir(dataDir, key, 'list')
  if (warning) options.onWarning?.(warning)
  const reader = connect(file, { readOnly: true })
  const { write, isFailing, ...storage } = createSqliteStorage(
    reader,
    { file, lock, key, keepDeleted, maxBytes, synchronous },
    options,
  )
  return {
    ...storage,
    async requireWritable() {
      if (isFailing() || (await isNearlyFull(dataDir))) await write('history.tryToWrite')
    },
    async close() {
      // The last connection to close checkpoints the WAL, which a read-only connection cannot do.
      reader.close()
      await storage.close()
      release()
    },
  }
}

/** Starts the writer thread. `reader` is a connection to its database, which `close` leaves open. */
export function createSqliteStorage(reader: DatabaseSync, settings: WriterSettings, options: StorageOptions) {
  let listener: ChangeListener | undefined
  const { write, size, ...writer } = startWriter(settings, {
    ...options,
    onResults(results) {
      const changes = toChanges(results)
      return isEmpty(changes) ? undefined : listener?.(changes)
    },
  })
  const encryption = createFieldEncryption(settings.key)
  return {
    employees: {
      ...createEmployeeReader(reader, encryption),
      ...createEmployeeWriter(write),
      size,
      subscribe(newListener: ChangeListener) {
        listener = newListener
      },
    },
    ...createSqlStorage({ read: createRunCommand(reader), write }, encryption),
    ping: async () => void reader.prepare('SELECT 1').get(),
    write,
    ...writer,
  }
}

/** The changes of a batch, which may be 100,000, are created while they are iterated. */
function toChanges(
  results: { writes: Writes; batch: IdentifiedBatch | undefined }[],
): Iterable<EmployeeChange> {
  const changes = {
    *[Symbol.iterator]() {
      for (const { writes, batch } of results)
        for (const write of listWrites(writes, batch)) yield toChange(write)
    },
  }
  return results.some(({ batch }) => batch) ? changes : [...changes]
}
