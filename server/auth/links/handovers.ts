import { toTimestamp } from '../../../contract/accounts.ts'
import type {
  CreatedSheet,
  HandoverInfo,
  NewHandover,
  SheetInfo,
  TakenHandover,
} from '../../../contract/handovers.ts'
import { AppError } from '../../app-error.ts'
import { present } from '../../http/json-body.ts'
import { type HandoverOutcome, type LinkStorage, toPublicId } from '../../storage/storage.ts'
import { createToken, hashToken } from '../sessions.ts'

export const handoverTtlMs = 7 * 24 * 60 * 60 * 1000

const invalidHandoverError = new AppError('invalid-link', {
  field: 'token',
  message: 'This link was already used, or is no longer valid. Ask whoever sent it for a new one.',
})

const changedError = new AppError('conflict', {
  message: 'Someone has changed this record. Look at it, then make the link again.',
})

/**
 * Links that show one credential once. What they show is encrypted with a key that never reaches the server. `now`: milliseconds
 * since 1970.
 */
export function createHandovers(storage: LinkStorage, now: () => number) {
  /** Creates links, and returns them with the outcome of each. */
  async function addLinks(uid: string, handovers: NewHandover[], sheet?: string) {
    const expiresAt = now() + handoverTtlMs
    const tokens = handovers.map(createToken)
    const links = handovers.map((given, i) => ({ ...given, hash: tokens[i]?.hash ?? '', uid, expiresAt }))
    const outcomes = await storage.addHandovers(links, now(), sheet)
    return {
      expiresAt: toTimestamp(expiresAt),
      links: tokens.map((token, i) => ({ ...token, outcome: outcomes[i] as HandoverOutcome })),
    }
  }

  return {
    /** Creates a link. Throws `not-found`, `too-many-handovers`, or `conflict` if the record is no longer as `seen`. */
    async handOver(uid: string, handover: NewHandover) {
      const { expiresAt, links } = await addLinks(uid, [handover])
      const [{ hash, token, outcome }] = links as [(typeof links)[0]]
      if (outcome === 'conflict') throw changedError
      if (outcome !== 'done') throw new AppError(outcome)
      return { id: toPublicId(hash), token, expiresAt }
    },

    /** Creates links to several records, all but those that have changed. Throws `too-many-handovers`. */
    async createSheet(uid: string, handovers: NewHandover[]): Promise<CreatedSheet> {
      const id = toPublicId(createToken().hash)
      const { expiresAt, links } = await addLinks(uid, handovers, id)
      if (links.some(({ outcome }) => outcome === 'too-many-handovers'))
        throw new AppError('too-many-handovers')
      return { id, expiresAt, tokens: links.map(({ token, outcome }) => (outcome === 'done' ? token : null)) }
    },

    handovers: {
      async list(): Promise<HandoverInfo[]> {
        const handovers = await storage.listHandovers(now())
        return handovers.map(({ hash, uid: _, ...rest }) => present({ id: toPublicId(hash), ...rest }))
      },
      async revoke(id: string, by: string) {
        const found = (await storage.listHandovers(now())).find(({ hash }) => toPublicId(hash) === id)
        return found !== undefined && storage.removeHandovers('hash', found.hash, by)
      },
    },

    sheets: {
      list: async (): Promise<SheetInfo[]> => (await storage.listSheets(now())).map(present),
      revoke: (id: string, by: string) => storage.removeHandovers('sheet', id, by),
    },

    /**
     * Uses up the link; for some minutes, whoever has done it with a `key` can repeat it. Throws `invalid-link`: the same for a
     * token that is unknown, used, expired, revoked or void.
     */
    async takeHandover(token: string, key?: string): Promise<TakenHandover> {
      const taken = await storage.takeHandover(hashToken(token), now(), key)
      if (!taken) throw invalidHandoverError
      return taken
    },
  }
}
