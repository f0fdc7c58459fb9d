import { type Situation, type StepKind, situations, stepKinds } from './scenario.ts'
import type { Outcome } from './simulate.ts'

/** In a thousand seeds, each kind of step, fault and situation must happen so often, and each of these answers come. */
const leastInThousand = 5
const expectedStatuses = [200, 201, 204, 401, 404, 409, 503, 507]

/** What has really happened in many simulations. */
export class Coverage {
  readonly #counts = new Map<StepKind | Situation, number>()
  readonly #statuses = new Map<number, number>()
  #seeds = 0
  #virtualMs = 0

  add({ counts, statuses, virtualMs }: Outcome): void {
    this.#seeds += 1
    this.#virtualMs += virtualMs
    for (const [kind, count] of counts) this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + count)
    for (const [status, count] of statuses)
      this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + count)
  }

  /** What was too rare to be tested. Few seeds tell nothing. */
  findMissing(): string[] {
    const least = Math.floor((leastInThousand * this.#seeds) / 1000)
    const isMissing = (count = 0) => count < least
    return [
      ...[...stepKinds, ...situations].filter((kind) => isMissing(this.#counts.get(kind))),
      ...expectedStatuses
        .filter((status) => isMissing(this.#statuses.get(status)))
        .map((status) => `answer ${status}`),
    ]
  }

  describe(): string {
    const list = (counts: Map<string | number, number>) =>
      [...counts]
        .sort(([, a], [, b]) => b - a)
        .map(([name, count]) => `${name} ${count}`)
        .join(', ')
    const days = this.#virtualMs / (24 * 60 * 60_000)
    return `${this.#seeds} seeds, ${days.toFixed(1)} days of virtual time\n${list(this.#counts)}\nanswers: ${list(this.#statuses)}`
  }
}
