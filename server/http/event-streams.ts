import type { ServerResponse } from 'node:http'

export type EventStreams = ReturnType<typeof createEventStreams>

export interface StreamOptions {
  /** Milliseconds between two signs of life on a quiet stream. */
  heartbeat?: number
  /** Bytes a reader may be behind before it is dropped. */
  maxBehind?: number
  maxPerOwner?: number
}

/** The open event streams of all owners (sessions); it knows nothing of what flows in them. */
export function createEventStreams({
  heartbeat = 15_000,
  maxBehind = 1024 * 1024,
  maxPerOwner = 20,
}: StreamOptions = {}) {
  const owners = new Map<string, Set<ServerResponse>>()
  const beat = setInterval(() => broadcast(comment), heartbeat).unref()

  /**
   * Framed once for all, and handed to the sockets: `response.write` would frame it anew for each, and cost a quarter
   * more.
   */
  function broadcast(bytes: Buffer) {
    const chunk = Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, lineEnd])
    for (const streams of owners.values()) {
      for (const stream of streams) {
        const piece = stream.chunkedEncoding ? chunk : bytes
        if (!stream.socket || stream.socket.writableLength > maxBehind) stream.destroy()
        else stream.socket.write(piece)
      }
    }
  }

  return {
    /** False where an owner has as many open as it may. */
    hasRoom: (owner: string) => (owners.get(owner)?.size ?? 0) < maxPerOwner,
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
    endOf(owner: string) {
      const streams = owners.get(owner) ?? []
      owners.delete(owner)
      for (const stream of streams) finish(stream)
    },
    count: () => [...owners.values()].reduce((sum, { size }) => sum + size, 0),
    close() {
      clearInterval(beat)
      const all = [...owners.values()].flatMap((streams) => [...streams])
      owners.clear()
      for (const stream of all) finish(stream)
    },
  }
}

/** A reader that does not read does not see the end either. */
function finish(stream: ServerResponse) {
  const late = setTimeout(() => stream.destroy(), 900).unref()
  stream.once('close', () => clearTimeout(late))
  stream.end()
}

const comment = Buffer.from(':\n\n')
const lineEnd = Buffer.from('\r\n')

/** One event in the format of `text/event-stream`; `data` must be of one line. */
export function eventText(name: string, data: string, id?: number): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${data}\n\n`
}
