/** Whose code a task runs: a page, a browser, the server. Tasks of one that has ended are dropped, those of a frozen one wait. */
export interface Owner {
  readonly name: string
  state: 'running' | 'frozen' | 'ended'
  /** Whether the clock waits for what its tasks do, such as starting a server. */
  readonly isAwaited?: boolean
  /** The tasks that became due while it was frozen. */
  readonly held: Pick<Task, 'run' | 'isCancelled'>[]
}

export const createOwner = (name: string): Owner => ({ name, state: 'running', held: [] })

interface Task {
  readonly at: number
  readonly order: number
  readonly owner: Owner
  readonly run: () => unknown
  /** Nobody need cancel it: it is forgotten with what it acts on. */
  readonly isWeak: boolean
  isCancelled: boolean
}

/** The time in ms since 1970 at which each simulation begins. */
const startedAt = Date.UTC(2026, 11, 1, 8)

/** Fails a simulation in which tasks make one another due without the time going on. */
const maxTasksAtOnce = 100_000

/**
 * Virtual time. Tasks run one after the other, in the order in which they are due; between two of them all promises settle
 * that can. So nothing but the delays, which come from the seed, decides an order.
 */
export class Clock {
  /** In ms since the simulation began. */
  now = 0
  taskCount = 0
  #order = 0
  readonly #queue: Task[] = []

  /** The time in ms since 1970. */
  get date(): number {
    return startedAt + this.now
  }

  /** Runs a task of an owner after a delay, in ms, unless the returned function is called before. */
  after(delayMs: number, owner: Owner, run: () => unknown, isWeak = false): () => void {
    if (owner.state === 'ended') return () => {}
    const at = this.now + Math.max(0, Number.isFinite(delayMs) ? delayMs : 0)
    const task: Task = { at, order: this.#order++, owner, run, isWeak, isCancelled: false }
    insert(this.#queue, task)
    return () => {
      task.isCancelled = true
    }
  }

  /** Runs all tasks that are due within so many ms. */
  async advance(ms: number): Promise<void> {
    const end = this.now + ms
    let tasksAtOnce = 0
    for (;;) {
      const [task] = this.#queue
      if (!task || task.at > end) break
      removeFirst(this.#queue)
      tasksAtOnce = task.at > this.now ? 0 : tasksAtOnce + 1
      if (tasksAtOnce > maxTasksAtOnce) throw new Error(`${task.owner.name} never rests.`)
      this.now = task.at
      await this.#run(task)
    }
    this.now = end
  }

  async #run(task: Task): Promise<void> {
    const { owner, isCancelled } = task
    if (isCancelled || owner.state === 'ended') return
    if (owner.state === 'frozen') {
      owner.held.push(task)
      return
    }
    this.taskCount++
    const result = task.run()
    if (owner.isAwaited) await result
    await settled()
  }

  /** Runs the tasks of a frozen owner that became due meanwhile. */
  thaw(owner: Owner): void {
    owner.state = 'running'
    for (const { run, isCancelled } of owner.held.splice(0)) if (!isCancelled) this.after(0, owner, run)
  }

  end(owner: Owner): void {
    owner.state = 'ended'
    owner.held.length = 0
  }

  /** How many tasks wait that will run and that are not weak. */
  countTasks(owner: Owner): number {
    return this.#queue.filter((task) => task.owner === owner && !task.isCancelled && !task.isWeak).length
  }
}

/** Resolves when all has happened that follows without time going on. */
export const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

const isBefore = (a: Task, b: Task) => a.at < b.at || (a.at === b.at && a.order < b.order)

/** A binary heap: the first is the next. */
function insert(heap: Task[], task: Task): void {
  let index = heap.push(task) - 1
  while (index > 0) {
    const parentIndex = (index - 1) >> 1
    const parent = heap[parentIndex] as Task
    if (!isBefore(task, parent)) break
    heap[index] = parent
    index = parentIndex
  }
  heap[index] = task
}

function removeFirst(heap: Task[]): void {
  const last = heap.pop() as Task
  if (heap.length === 0) return
  let index = 0
  for (;;) {
    let childIndex = 2 * index + 1
    const [left, right] = [heap[childIndex], heap[childIndex + 1]]
    if (left && right && isBefore(right, left)) childIndex++
    const child = heap[childIndex]
    if (!child || !isBefore(child, last)) break
    heap[index] = child
    index = childIndex
  }
  heap[index] = last
}
