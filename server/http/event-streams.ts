import type { ServerResponse } from 'node:http'

export type EventStreams = ReturnType<typeof createEventStreams>

export interface StreamOptions {
  /** Milliseconds between two signs of life on a quiet stream. */
  heartbeatIntervalMs?: number
  /** Bytes a reader may be behind before it is dropped. */
  maxBufferedBytes?: number
  maxPerOwner?: number
}

/** The open event streams of all owners (sessions); it knows nothing of what flows in them. */
export function createEventStreams({
  heartbeatIntervalMs = 15_000,
  maxBufferedBytes = 1024 * 1024,
  maxPerOwner = 20,
}: StreamOptions = {}) {
  const owners = new Map<string, Set<ServerResponse>>()
  const heartbeatTimer = setInterval(() => broadcast(heartbeatComment), heartbeatIntervalMs).unref()

  /**
   * Framed once for all, and handed to the sockets: `response.write` would frame it anew for each, and cost a quarter
   * more.
   */
  function broadcast(bytes: Buffer) {
    const chunk = Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, crlf])
    for (const streams of owners.values()) {
      for (const stream of streams) {
        const payload = stream.chunkedEncoding ? chunk : bytes
        if (!stream.socket || stream.socket.writableLength > maxBufferedBytes) stream.destroy()
        else stream.socket.write(payload)
      }
    }
  }

  return {
    /** False where an owner has as many open as it may. */
    canOpen: (owner: string) => (owners.get(owner)?.size ?? 0) < maxPerOwner,
    /** Takes a response whose head is written. */
    open(owner: string, stream: ServerResponse) {
      const streams = owners.get(owner) ?? new Set()
      owners.set(owner, streams.add(stream))
      stream.on('close', () => {
        streams.delete(stream)
        if (streams.size === 0 && owners.get(owner) === streams) owners.delete(owner)
      })
    },
    broadcast,
    /** Who holds a stream now. */
    owners: () => [...owners.keys()],
    /** Nothing flows to the owner from here on, and within a second the line is closed. */
    closeOwner(owner: string) {
      const streams = owners.get(owner) ?? []
      owners.delete(owner)
      for (const stream of streams) endStream(stream)
    },
    count: () => [...owners.values()].reduce((sum, { size }) => sum + size, 0),
    close() {
      clearInterval(heartbeatTimer)
      const openStreams = [...owners.values()].flatMap((streams) => [...streams])
      owners.clear()
      for (const stream of openStreams) endStream(stream)
    },
  }
}

/** A reader that does not read does not see the end either. */
function endStream(stream: ServerResponse) {
  const destroyTimer = setTimeout(() => stream.destroy(), 900).unref()
  stream.once('close', () => clearTimeout(destroyTimer))
  stream.end()
}

const heartbeatComment = Buffer.from(':\n\n')
const crlf = Buffer.from('\r\n')

/** One event in the format of `text/event-stream`; `data` must be of one line. */
export function formatEvent(name: string, data: string, id?: number): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${data}\n\n`
}
