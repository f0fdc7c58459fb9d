import { type Session, type SessionStorage, StorageError } from '../storage/storage.ts'

/**
 * A storage whose sessions can be ended while the disk is full. Until there is space to store that, this process treats them
 * as ended, and tries again with each `endExpired`; a restart before would revive them. A shared storage is returned as it is.
 */
export function createStorageWithUnstoredEnds(storage: SessionStorage): SessionStorage {
  // Other servers would not know of them.
  if (storage.isShared) return storage
  const ended = new Set<string>()
  const isLive = ({ hash }: Session) => !ended.has(hash)
  const listByAccount = async (uid: string) => (await storage.listByAccount(uid)).filter(isLive)

  async function end(hashes: string[]): Promise<string[]> {
    try {
      const stored = await storage.end(hashes)
      for (const hash of hashes) ended.delete(hash)
      return stored
    } catch (error) {
      if (!isFull(error)) throw error
      // Anyone can ask to end invented sessions.
      const found = await Promise.all(hashes.map(find))
      const existing = hashes.filter((_, i) => found[i])
      for (const hash of existing) ended.add(hash)
      return existing
    }
  }

  function find(hash: string) {
    return ended.has(hash) ? undefined : storage.find(hash)
  }

  return {
    add: (...session) => storage.add(...session),
    isRemembered: (addressHash) => storage.isRemembered(addressHash),
    touch: (hash, lastSeenAt) => storage.touch(hash, lastSeenAt),
    end,
    listByAccount,
    find,
    async endAll(uid) {
      try {
        return await storage.endAll(uid)
      } catch (error) {
        if (!isFull(error)) throw error
        return end((await listByAccount(uid)).map(({ hash }) => hash))
      }
    },
    async findEnded(hashes, ...cutoffs) {
      const others = await storage.findEnded(hashes, ...cutoffs)
      return [...others, ...hashes.filter((hash) => ended.has(hash) && !others.includes(hash))]
    },
    async endExpired(...cutoffs) {
      if (ended.size > 0) await end([...ended])
      return storage.endExpired(...cutoffs)
    },
  }
}

const isFull = (error: unknown) => error instanceof StorageError && error.kind === 'full'
