import {
  type ChangeListener,
  type DocumentStore,
  hasCode,
  type IdentityService,
  type ServiceError,
  type Services,
} from '../../../web/backends/ports.ts'
import { createServiceError } from '../../../web/backends/service-error.ts'

/** A call of the ports. Those of an optional service have its name. */
export type Method = Exclude<keyof IdentityService | keyof DocumentStore, 'subscribe' | 'usedPercent'>

const writeMethods: Method[] = ['add', 'update', 'remove', 'restore', 'writeBatch']

interface Fault {
  methods: Method[]
  beforeCall?(): Promise<void>
  afterCall?(): void
}

export type Wire = ReturnType<typeof createWire>

/** What the calls of one browser go through: its network, and the faults that a test has switched on. */
export function createWire() {
  const faults = new Set<Fault>()
  const calls: Method[] = []
  const relays = new Set<Relay>()
  let isConnected = true
  let isEndNoticed = true

  function switchOn(fault: Fault) {
    faults.add(fault)
    return () => void faults.delete(fault)
  }

  function connect(connected: boolean) {
    isConnected = connected
    for (const relay of relays) queueMicrotask(relay.update)
  }

  async function call<T>(method: Method, run: () => Promise<T>): Promise<T> {
    calls.push(method)
    await null
    const matching = [...faults].filter(({ methods }) => methods.includes(method))
    for (const fault of matching) await fault.beforeCall?.()
    if (!isConnected) throw createServiceError('offline')
    try {
      const result = await run()
      for (const fault of matching) fault.afterCall?.()
      return result
    } catch (error) {
      if (hasCode(error, 'not-signed-in')) noticeEnd()
      throw error
    }
  }

  function noticeEnd() {
    isEndNoticed = true
    for (const relay of relays) relay.update()
  }

  return {
    call,

    /** Returns a service whose calls go through this. A fault knows each method by its own name, or all by this one. */
    wrap<Service extends object>(service: Service, shared?: Method): Service {
      const wrapped = Object.entries(service).map(([name, value]) =>
        typeof value === 'function' && name !== 'subscribe'
          ? [name, (...args: unknown[]) => call(shared ?? (name as Method), () => value.apply(service, args))]
          : [name, value],
      )
      return Object.fromEntries(wrapped) as Service
    },

    /** Notifies the listener while there is a network, and then of what it has missed. */
    subscribe(documents: DocumentStore, listener: ChangeListener): () => void {
      const relay = createRelay(listener, () => ({ isConnected, isEndNoticed }))
      relays.add(relay)
      const stop = documents.subscribe(relay)
      queueMicrotask(relay.update)
      return () => {
        relays.delete(relay)
        relay.stop()
        stop()
      }
    },

    /** `endOnService` ends the session there. */
    controls: (endOnService: () => void) => ({
      cutNetwork: async () => connect(false),
      restoreNetwork: async () => connect(true),
      /** Makes calls fail before they reach the service; by default every write. */
      failCalls: (error: ServiceError, methods = writeMethods) =>
        switchOn({ methods, beforeCall: () => Promise.reject(error) }),
      /** Makes the service carry calls out while the client sees them fail as `offline`. */
      loseResponses: (methods = writeMethods) =>
        switchOn({
          methods,
          afterCall() {
            throw createServiceError('offline')
          },
        }),
      /** Keeps calls from reaching the service until they are released. */
      holdCalls(methods = writeMethods) {
        const { promise, resolve } = Promise.withResolvers<void>()
        const switchOff = switchOn({ methods, beforeCall: () => promise })
        return () => {
          switchOff()
          resolve()
        }
      },
      /** How often a method has been called. */
      countCalls: (method: Method) => calls.filter((called) => called === method).length,
      /** Ends this client's session on the service, as an expired cookie does. Without `isNoticed`, the next call finds out. */
      endSession({ isNoticed = true } = {}) {
        isEndNoticed = isNoticed
        endOnService()
      },
    }),
  }
}

type Relay = ReturnType<typeof createRelay>

/** Passes notifications on, in order, as far as the state of the network allows. */
function createRelay(
  listener: ChangeListener,
  getState: () => { isConnected: boolean; isEndNoticed: boolean },
) {
  let isStopped = false
  let wasConnected: boolean | undefined
  const waiting: (() => void)[] = []
  let hasEnded = false

  function update() {
    const { isConnected, isEndNoticed } = getState()
    if (isStopped) return
    if (isConnected !== wasConnected) {
      wasConnected = isConnected
      listener.onConnectionChange(isConnected)
    }
    if (!isConnected) return
    for (const deliver of waiting.splice(0)) deliver()
    if (!hasEnded || !isEndNoticed) return
    isStopped = true
    listener.onSessionEnded()
  }

  function pass(deliver: () => void) {
    waiting.push(deliver)
    update()
  }

  return {
    update,
    stop() {
      isStopped = true
    },
    onChanges: (changes) => pass(() => listener.onChanges(changes)),
    onStale: () => pass(listener.onStale),
    /** The service is always there: only the network is lost. */
    onConnectionChange: () => update(),
    onSessionEnded() {
      hasEnded = true
      update()
    },
  } satisfies ChangeListener & { update(): void; stop(): void }
}

/** The names by which faults know the optional services of a client. */
export function wrapServices({ identity, documents }: Services, wire: Wire): Services {
  const { team, sessions, passkeys, ...account } = identity
  const { history, previousPasswords, ...records } = documents
  return {
    identity: {
      ...wire.wrap(account),
      ...(team && { team: wire.wrap(team, 'team') }),
      ...(sessions && { sessions: wire.wrap(sessions, 'sessions') }),
      ...(passkeys && { passkeys }),
    },
    documents: {
      ...wire.wrap(records),
      subscribe: (listener) => wire.subscribe(documents, listener),
      ...(history && { history: wire.wrap(history, 'history') }),
      ...(previousPasswords && { previousPasswords: wire.wrap(previousPasswords, 'previousPasswords') }),
    },
  }
}
