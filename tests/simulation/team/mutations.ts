import type { Replacement } from '../engine/bundle.ts'

/** Faults of the product that somebody could make. A simulation that does not find one of them is too weak. */
export const mutations: Record<string, readonly Replacement[]> = {
  'each attempt of an addition has a new key': [
    {
      file: 'web/records/model/book/book-slice.ts',
      from: 'await documents.add(fields, key), ...fields',
      to: 'await documents.add(fields, key + String(Date.now())), ...fields',
    },
  ],
  'no request is recognized': [
    {
      file: 'server/storage/request-digests.ts',
      from: 'digest !== undefined && split(stored)',
      to: 'false && split(stored)',
    },
  ],
  'an older event replaces a newer response': [
    {
      file: 'web/backends/self-hosted/documents.ts',
      from: 'return change.revision >= this.#ownRevision(changedId(change))',
      to: 'return true',
    },
  ],
  'a response hides a newer event': [
    {
      file: 'web/backends/self-hosted/documents.ts',
      from: 'if (repeated.length > 0) this.#listener?.onChanges(repeated.map(stay))',
      to: '',
    },
  ],
  'a repeated response is taken for the state': [
    {
      file: 'web/backends/self-hosted/documents.ts',
      from: 'if (response.headers.has(repeatedHeader)) return this.#requestReload()',
      to: '',
    },
  ],
  'other content has the same key': [
    {
      file: 'web/records/model/book/edited-operations.ts',
      from: "if (hasCode(error, 'key-reused') && error.id) return { id: error.id, isCreator: false }",
      to: '',
    },
  ],
  'a commit is acknowledged before': [
    { file: 'server/storage/sqlite/writer/group-commit.ts', from: "database.exec('COMMIT')\n", to: '\n' },
    {
      file: 'server/storage/sqlite/writer/thread.ts',
      from: 'checkpoints.afterCommit()',
      to: "database.exec('COMMIT'); checkpoints.afterCommit()",
    },
  ],
  'a request names no account': [
    {
      file: 'web/backends/self-hosted/client.ts',
      from: 'uid && { [accountHeader]: encodeURIComponent(uid) }',
      to: '{}',
    },
  ],
  'a change has no author': [
    {
      file: 'server/storage/decide.ts',
      from: "({ kind: 'change', id, fields, by, request }) as const",
      to: "({ kind: 'change', id, fields, by: undefined, request }) as const",
    },
  ],
  'the stream skips a revision': [
    {
      file: 'web/backends/self-hosted/documents.ts',
      from: 'const stream = new SharedStream(this.#send, this.#listRevision, name',
      to: 'const stream = new SharedStream(this.#send, this.#listRevision + 1, name',
    },
  ],
  'a restore is done again': [
    {
      file: 'server/storage/decide.ts',
      from: 'if (row && hasChanged(row.digests, request)) return repeated(row)',
      to: '',
    },
  ],
  'an edited change that was saved is not found': [
    {
      file: 'web/records/model/book/edited-operations.ts',
      from: "hasCode(error, 'conflict') && (await findSaved(",
      to: 'false && (await findSaved(',
    },
  ],
  'what follows an undone change stays based on it': [
    {
      file: 'web/records/model/outbox/outbox.ts',
      from: 'if (!isSending) this.takeOut(entry)',
      to: '',
    },
  ],
}
