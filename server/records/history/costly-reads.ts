import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { RecordDetails } from '../../../contract/history.ts'
import type { Encoding } from '../../http/large-responses.ts'
import type { HistoryStorage, StoredDetails } from '../../storage/history.ts'
import { startTurn } from '../../yield-to-event-loop.ts'
import type { LiveList } from '../live-list.ts'

const gzipAsync = promisify(gzip)

/** Fast: the body is 130 bytes per record, and compressed for its readers only once per revision. */
const gzipLevel = 1

/**
 * The body of `GET details` for all records. Builds it once per revision and encoding, one at a time and in turns with other
 * requests.
 */
export function createDetailsBody(history: Pick<HistoryStorage, 'loadDetails'>, liveList: LiveList) {
  let built: { revision: number; encoding: Encoding; body: Promise<Buffer> } | undefined
  let running: Promise<unknown> = Promise.resolve()

  return async function read(encoding: Encoding): Promise<Buffer> {
    await running
    const { revision } = liveList
    if (built?.revision !== revision || built.encoding !== encoding) {
      const body = build(history, encoding)
      built = { revision, encoding, body }
      running = body.catch(() => {
        built = undefined
      })
    }
    return built.body
  }
}

async function build(history: Pick<HistoryStorage, 'loadDetails'>, encoding: Encoding): Promise<Buffer> {
  const parts: Buffer[] = []
  const turn = startTurn()
  for await (const page of history.loadDetails()) {
    const separator = parts.length === 0 ? '' : ','
    parts.push(Buffer.from(separator + JSON.stringify(page.map(toDetails)).slice(1, -1)))
    if (turn.isOver()) await turn.next()
  }
  const body = Buffer.concat([Buffer.from('{"details":['), ...parts, Buffer.from(']}')])
  return encoding === 'gzip' ? gzipAsync(body, { level: gzipLevel }) : body
}

export function toDetails({ id, changedAt, changedBy, passwordAt }: StoredDetails): RecordDetails {
  return {
    id,
    ...(changedAt === null ? {} : { changedAt: new Date(changedAt).toISOString() }),
    ...(changedBy === null ? {} : { changedBy }),
    ...(passwordAt === null ? {} : { passwordChangedAt: new Date(passwordAt).toISOString() }),
  }
}
