import { promisifyRequest, type UseStore } from 'idb-keyval'
import { reportClearedStorage } from '../../../lib/stored-state.ts'

/**
 * An object store of IndexedDB. `onClose` is called when its connection has ended: the browser has deleted the database or
 * its storage, or another page wants to delete or upgrade it. The next access connects again.
 */
export function openObjectStore(databaseName: string, name: string, onClose: () => void): UseStore {
  let connecting: Promise<IDBDatabase> | undefined

  function connect(): Promise<IDBDatabase> {
    if (connecting) return connecting
    const attempt = open(databaseName, name)
    connecting = attempt
    const forget = () => {
      if (connecting === attempt) connecting = undefined
    }
    attempt.then((database) => {
      database.onclose = database.onversionchange = ({ type }: Event) => {
        database.close()
        forget()
        if (type === 'close') reportClearedStorage()
        onClose()
      }
    }, forget)
    return attempt
  }

  return async (mode, use) => {
    const database = await connect()
    try {
      return await use(database.transaction(name, mode).objectStore(name))
    } catch (error) {
      // Some browsers close a connection without an event.
      if ((error as Error).name === 'InvalidStateError') database.onclose?.(new Event('close'))
      throw error
    }
  }
}

/** Opens the present version. A database without the object store, which another page has made, gets it. */
async function open(databaseName: string, name: string, version?: number): Promise<IDBDatabase> {
  const request = indexedDB.open(databaseName, version)
  const hasStore = () => request.result.objectStoreNames.contains(name)
  request.onupgradeneeded = () => {
    if (!hasStore()) request.result.createObjectStore(name)
  }
  const database = await promisifyRequest(request)
  if (hasStore()) return database
  database.close()
  return open(databaseName, name, database.version + 1)
}
