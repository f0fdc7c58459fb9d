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
import { openDataDir } from './data-dir.ts'
import { createEmployeeReader } from './employees.ts'
import { createRunCommand } from './run-command.ts'
import { startWriter } from './writer/client.ts'

export interface SqliteOptions extends StorageOptions, Pick<ConnectOptions, 'synchronous'> {
  dataDir: string
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
  const { file, lock, release } = openDataDir(dataDir, key, 'list')
  let listener: ChangeListener | undefined
  const { write, ...writer } = startWriter(
    { file, lock, key, keepDeleted, maxBytes, synchronous },
    {
      ...options,
      onResults(results) {
        const changes = toChanges(results)
        return isEmpty(changes) ? undefined : listener?.(changes)
      },
    },
  )
  const reader = connect(file, { readOnly: true })
  const encryption = createFieldEncryption(key)
  return {
    employees: {
      ...createEmployeeReader(reader, encryption),
      ...createEmployeeWriter(write),
      size: writer.size,
      subscribe(newListener) {
        listener = newListener
      },
    },
    ...createSqlStorage({ read: createRunCommand(reader), write }, encryption),
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
