import type { Random } from '../engine/random.ts'

/** What happens to one request. */
export const requestFaults = [
  'lost request',
  'lost answer',
  'late request',
  'late answer',
  'doubled request',
  'cut answer',
  'split answer',
  'foreign answer',
] as const
export type RequestFault = (typeof requestFaults)[number]

/** What a network does to all of its connections, until it heals. */
export const linkFaults = [
  'offline',
  'unreachable',
  'silent streams',
  'buffered streams',
  'login page',
] as const
export type LinkFault = (typeof linkFaults)[number]

/** Answers of proxies and other programs between the page and the server. */
export const foreignAnswers: readonly { status: number; type: string; body: string }[] = [
  { status: 200, type: 'text/html', body: '<html>Please log in to this network.</html>' },
  { status: 502, type: 'text/html', body: '<html>Bad gateway</html>' },
  { status: 503, type: 'text/plain', body: 'no healthy upstream' },
  { status: 504, type: 'application/json', body: '{"message":"timeout"}' },
  { status: 429, type: 'text/plain', body: 'slow down' },
  { status: 408, type: 'text/plain', body: '' },
  { status: 200, type: 'application/json', body: '{"ok":true}' },
  { status: 403, type: 'text/html', body: '<html>Blocked by policy</html>' },
  { status: 401, type: 'text/html', body: '<html>Log in to the proxy</html>' },
  { status: 404, type: 'text/html', body: '<html>Nothing here</html>' },
  { status: 404, type: 'application/json', body: '{"error":"no such route"}' },
  { status: 511, type: 'text/html', body: '<html>Network authentication required</html>' },
]

/** The network between one browser and the server. */
export class Link {
  readonly random: Random
  readonly address: string
  /** The usual delays in one direction, in ms. */
  readonly latencyMs: readonly [number, number]
  readonly faults = new Set<LinkFault>()
  /** Faults of the next requests. `kind`: of these only. */
  readonly armed: { fault: RequestFault; kind: RequestKind }[] = []
  healCount = 0
  /** What a network that wants a login answers to everything: an index of `foreignAnswers`. */
  pageAnswer = 0
  cookies = new Map<string, string>()
  /** Called when a fault strikes. */
  onFault: (fault: RequestFault | LinkFault) => void = () => {}
  readonly #cutListeners = new Set<() => void>()

  constructor(random: Random, address: string) {
    this.random = random
    this.address = address
    const min = random.pick([1, 5, 20, 80])
    this.latencyMs = [min, min * random.pick([1.5, 3, 6])]
  }

  delay(): number {
    return this.random.between(...this.latencyMs)
  }

  takeFault(kind: RequestKind): RequestFault | undefined {
    const index = this.armed.findIndex((armed) => armed.kind === 'any' || armed.kind === kind)
    if (index < 0) return undefined
    const [armed] = this.armed.splice(index, 1)
    if (armed) this.onFault(armed.fault)
    return armed?.fault
  }

  onCut(listener: () => void): () => void {
    this.#cutListeners.add(listener)
    return () => void this.#cutListeners.delete(listener)
  }

  /** Breaks all open connections. */
  cut(): void {
    for (const listener of [...this.#cutListeners]) listener()
  }

  heal(): void {
    this.healCount += 1
    this.faults.clear()
    this.armed.length = 0
  }
}

export type RequestKind = 'any' | 'write' | 'list' | 'stream' | 'account'

/** What a request is for. */
export function kindOf(method: string, path: string): RequestKind {
  if (path.startsWith('/api/identity')) return 'account'
  if (method !== 'GET') return 'write'
  return path.includes('/changes') ? 'stream' : 'list'
}
