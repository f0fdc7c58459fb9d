import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, preParsingHookHandler, RequestPayload } from 'fastify'
import { closeSlowRequest, ifUnfinished } from './limits.ts'
import { safeMethods } from './request-guards.ts'

const defaultMaxTotalBytes = 32 * 1024 * 1024
/** Memory that each piece of a body takes beyond its bytes. */
const pieceOverheadBytes = 512
/** Node reads so much of a connection at once. */
const maxReadBytes = 64 * 1024
/** For a request whose route uses no body. */
const maxUnusedBodyBytes = 1024

/**
 * Limits the memory of unfinished bodies of all routes that have no limit of their own: of strangers, and of people with a
 * session. Beyond it, the oldest are refused as too slow: a whole body arrives within milliseconds, while attackers hold
 * back the end. `request.session` is set before bodies are read.
 */
export function limitUnfinishedBodies(app: FastifyInstance, maxTotalBytes = defaultMaxTotalBytes): void {
  const limitStrangers = createLimit(maxTotalBytes)
  const limitMembers = createLimit(maxTotalBytes)
  // Not a hook of all requests: it would cost reads, which have no body, time.
  app.addHook('onRoute', (route) => {
    if ([route.method].flat().every((method) => safeMethods.has(method))) return
    if (!route.schema?.body) route.bodyLimit ??= maxUnusedBodyBytes
    route.preParsing ??= function (request, ...rest) {
      return (request.session ? limitMembers : limitStrangers).call(this, request, ...rest)
    }
  })
}

function createLimit(maxTotalBytes: number): preParsingHookHandler {
  // In order of arrival.
  const pendingBytes = new Map<IncomingMessage, number>()
  let totalBytes = 0

  function release(request: IncomingMessage) {
    totalBytes -= pendingBytes.get(request) ?? 0
    pendingBytes.delete(request)
  }

  function onClose(this: IncomingMessage) {
    release(this)
  }

  function closeOldest() {
    for (const oldest of pendingBytes.keys()) {
      if (totalBytes <= maxTotalBytes) return
      release(oldest)
      closeSlowRequest(oldest)
    }
  }

  function add(raw: IncomingMessage, pieceBytes: number) {
    const bytes = pendingBytes.get(raw)
    if (bytes === undefined) return
    pendingBytes.set(raw, bytes + pieceBytes + pieceOverheadBytes)
    totalBytes += pieceBytes + pieceOverheadBytes
    closeOldest()
  }

  function watch(raw: IncomingMessage, payload: RequestPayload, readBytes: number) {
    // A lost connection has emitted `close`.
    if (raw.destroyed) return
    pendingBytes.set(raw, 0)
    add(raw, readBytes)
    payload.on('data', (piece: Buffer) => add(raw, piece.length))
    // Emitted right after `end`, or when the connection is lost.
    raw.on('close', onClose)
  }

  return ({ raw }, _reply, payload, done) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers
    // Without a length, what arrives at once may be many pieces.
    if (encoding !== undefined) process.nextTick(watch, raw, payload, 0)
    else if (length !== undefined)
      ifUnfinished(raw, () => watch(raw, payload, Math.min(Number(length), maxReadBytes)))
    done(null, payload)
  }
}
