import { Client, InterceptingCall, type Interceptor } from '@grpc/grpc-js'

/** Documents as Firestore charges for them, without those that rules read, which the emulator does not tell. */
export const counts = {
  reads: 0,
  writes: 0,
  /** Transactions that failed, as on a busy machine: what was read for them counts, what they would have written does not. */
  refused: 0,
}

/** Which targets of a listener have received a document: a query without a result is charged as one read. */
type Targets = Map<number, boolean>

interface Message {
  writes?: { verify?: string }[]
  addTarget?: { targetId: number }
  documentChange?: { targetIds: number[] }
  documentDelete?: object
  targetChange?: { targetChangeType: string; targetIds: number[] }
  found?: object
  missing?: string
  result?: { aggregateFields?: object }
}

function countSent({ writes = [], addTarget }: Message, targets: Targets) {
  counts.writes += writes.filter(({ verify }) => verify === undefined).length
  if (addTarget) targets.set(addTarget.targetId, false)
}

function countReceived(message: Message, targets: Targets) {
  const { documentChange, documentDelete, targetChange, found, missing, result } = message
  if (documentChange || documentDelete || found || missing || result?.aggregateFields) counts.reads += 1
  for (const id of documentChange?.targetIds ?? []) targets.set(id, true)
  if (targetChange?.targetChangeType !== 'CURRENT') return
  const empty = targetChange.targetIds.filter((id) => targets.get(id) === false)
  if (!documentDelete) counts.reads += empty.length
  for (const id of empty) targets.set(id, true)
}

const interceptor: Interceptor = (options, nextCall) => {
  const targets: Targets = new Map()
  const { requestStream } = options.method_definition
  let written = 0
  return new InterceptingCall(nextCall(options), {
    start: (metadata, _listener, next) =>
      next(metadata, {
        onReceiveMessage(message, next) {
          if (message) countReceived(message, targets)
          next(message)
        },
        onReceiveStatus(status, next) {
          if (status.code !== 0 && written > 0 && !requestStream) {
            counts.writes -= written
            counts.refused += 1
          }
          next(status)
        },
      }),
    sendMessage(message, next) {
      const before = counts.writes
      countSent(message, targets)
      written += counts.writes - before
      next(message)
    },
  })
}

/** Counts what all clients of this process send and receive from now on: call it before they connect. */
export function countRequests(): void {
  const prototype = Client.prototype as unknown as Record<string, (...args: unknown[]) => object>
  for (const name of ['checkMetadataAndOptions', 'checkOptionalUnaryResponseArguments']) {
    const original = prototype[name] as (...args: unknown[]) => { options?: object }
    prototype[name] = function (this: Client, ...args) {
      const checked = original.apply(this, args)
      return { ...checked, options: { ...checked.options, interceptors: [interceptor] } }
    }
  }
}
