import nodeCrypto from 'node:crypto'
import fs, { type StatSyncOptions } from 'node:fs'
import nodeModule from 'node:module'
import nodeSqlite from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { AjvCompiler } from '@fastify/ajv-compiler'
import type { FastifyInstance } from 'fastify'
import type { AppOptions } from '../../../server/app.ts'
import type { PasswordPool } from '../../../server/auth/password-pool.ts'
import { identifyFile } from '../../../server/storage/files.ts'
import { type Clock, createOwner, type Owner } from '../engine/clock.ts'
import { createDateClass, createTimers } from '../engine/globals.ts'
import type { Program } from '../engine/program.ts'
import { Random } from '../engine/random.ts'
import { Database } from './database.ts'
import type * as Modules from './modules.ts'
import { ServerSocket } from './socket.ts'
import { createWorkerClass } from './writer-thread.ts'

const here = fileURLToPath(import.meta.url)
/** The path of the database, which is in memory: nothing can be written beside it. */
const nowhere = '/dev/null/staffbook.sqlite'
/** A file that stays: the writer thread looks whether the database or the lock of its folder was replaced. */
const lock = identifyFile(here)
const statSync = (path: string, options: StatSyncOptions & { bigint: true }) =>
  fs.statSync(path.startsWith(nowhere) ? here : path, options)

export interface ServerPrograms {
  app: Program
  writer: Program
}

const validators = new Map<string, unknown>()

type Compile = (part: { schema: unknown }) => unknown

/** Compiles each schema once for all servers: their validators have no state but the errors of the last call. */
function createCachingCompiler() {
  const create = AjvCompiler()
  return (...options: Parameters<typeof create>): Compile => {
    let compile: Compile | undefined
    return (part) => {
      const key = JSON.stringify(part.schema)
      const known = validators.get(key)
      if (known) return known
      compile ??= create(...options) as Compile
      const validate = compile(part)
      validators.set(key, validate)
      return validate
    }
  }
}

export type CrashPoint = 'now' | 'before commit' | 'after commit'

interface Options {
  clock: Clock
  seed: number
  programs: ServerPrograms
  log(text: string): void
  /** Called with an error that no request should cause. */
  onBug(error: Error): void
  /** Called when the process was killed as planned. */
  onCrash(point: CrashPoint, downMs: number): void
  /** Called when something may have been committed. */
  onCommit(): void
  maxBytes: number | undefined
}

/** The real server, whose process can be killed, on a database that stays. */
export class SimulatedServer {
  readonly database: Database
  /** How much its clock is ahead of the time, in ms. */
  clockErrorMs = 0
  /** It refuses every other request, as one that is busy. */
  isThrottling = false
  /** Called when it has refused one. */
  onThrottled: () => void = () => {}
  readonly #options: Options
  readonly #random: Random
  #process: { owner: Owner; app: FastifyInstance; sockets: Set<ServerSocket> } | undefined
  /** Where the process dies, and how long it is down, in ms. */
  #planned: { point: CrashPoint; downMs: number } | undefined

  constructor(options: Options) {
    this.#options = options
    this.#random = new Random(options.seed, 'server')
    this.database = new Database(options.clock, this.#random, () =>
      this.#load(createOwner('server'), new Random(0, 'empty register')),
    )
  }

  get isRunning(): boolean {
    return this.#process !== undefined
  }

  /** How many connections are open. */
  countConnections(): number {
    return this.#process?.sockets.size ?? 0
  }

  /** The time of its machine, in ms since 1970. */
  get date(): number {
    return Math.floor(this.#options.clock.date + this.clockErrorMs)
  }

  async start(): Promise<void> {
    const owner = createOwner('server')
    const { maxBytes = Number.POSITIVE_INFINITY } = this.#options
    const modules = this.#load(owner)
    const {
      write: _,
      isFailing: _isFailing,
      ...storage
    } = modules.createSqliteStorage(
      this.database.connection,
      { file: nowhere, lock, key: undefined, keepDeleted: true, maxBytes },
      {},
    )
    const app = await modules.createApp({
      storage: { ...storage, close: async () => {} } as AppOptions['storage'],
      signUp: 'open',
      hashCost: { memory: 64, passes: 1 },
      passwordPool: this.#createPasswordPool(owner),
      now: () => this.date,
      throttleLimits: {
        failuresPerAddress: 1e6,
        failuresPerPair: 1e6,
        failuresPerAccount: 1e6,
        signUpsPerAddress: 1e6,
        pushesPerAddress: 1e6,
      },
    })
    app.addHook('onRequest', async () => {
      if (!this.isThrottling || this.#random.chance(0.5)) return
      this.onThrottled()
      throw new modules.AppError('busy', { retryAfterSeconds: this.#random.pick([1, 5]) })
    })
    const errors = new WeakMap<object, Error>()
    app.addHook('onError', async (request, _reply, error) => void errors.set(request, error))
    app.addHook('onResponse', async (request, reply) => {
      const error = errors.get(request)
      if (error && reply.statusCode === 500) this.#options.onBug(error)
    })
    await app.ready()
    this.#process = { owner, app, sockets: new Set() }
    this.#options.log('server started')
  }

  /** Loads the server's modules, as a new process does. */
  #load(owner: Owner, random = this.#random): typeof Modules {
    const { clock, programs } = this.#options
    const globals = {
      ...createTimers(clock, () => owner),
      Date: createDateClass(() => this.date),
      performance: { now: () => clock.now },
    }
    const crypto = {
      ...nodeCrypto,
      randomBytes: (size: number) => random.fill(Buffer.alloc(size)),
      randomFillSync: (bytes: Uint8Array) => random.fill(bytes),
    }
    const sqlite = {
      ...nodeSqlite,
      DatabaseSync: this.database?.createConnectionClass() ?? nodeSqlite.DatabaseSync,
    }
    const common = {
      'node:crypto': crypto,
      'node:sqlite': sqlite,
      '@fastify/ajv-compiler': { AjvCompiler: createCachingCompiler },
      'node:module': { ...nodeModule, flushCompileCache: () => {} },
      'node:timers/promises': {
        setImmediate: () => new Promise<void>((resolve) => clock.after(0, owner, resolve)),
        setTimeout: (ms: number) => new Promise<void>((resolve) => clock.after(ms, owner, resolve)),
      },
    }
    const Worker = createWorkerClass({
      clock,
      random,
      owner,
      start: (threads) =>
        programs.writer.start(globals, {
          ...common,
          'node:fs': { ...fs, statSync },
          'node:worker_threads': threads,
        }),
      onReceive: () => !this.#dieAt('before commit'),
      onSend: (message) => {
        this.#options.onCommit()
        if ((message as { results: unknown[] }).results.length > 0) this.#dieAt('after commit')
      },
    })
    return programs.app.start<typeof Modules>(globals, { ...common, 'node:worker_threads': { Worker } })
  }

  /** Hashes without a thread, and quickly. */
  #createPasswordPool(owner: Owner): PasswordPool {
    const { clock } = this.#options
    const inTime = <T>(result: T) =>
      new Promise<T>((resolve) => clock.after(this.#random.between(1, 40), owner, () => resolve(result)))
    return {
      hash: ({ message, nonce }) =>
        inTime(
          nodeCrypto
            .createHash('sha256')
            .update(String(message))
            .update(nonce as Buffer)
            .digest(),
        ),
      isCommon: () => inTime(false),
      close: async () => [],
    }
  }

  /** Opens a connection. Undefined if nobody listens. */
  connect(options: ConstructorParameters<typeof ServerSocket>[0]): ServerSocket | undefined {
    const running = this.#process
    if (!running) return
    const socket = new ServerSocket({
      ...options,
      onClosed() {
        running.sockets.delete(socket)
        options.onClosed()
      },
    })
    running.sockets.add(socket)
    running.app.server.emit('connection', socket)
    return socket
  }

  /** Kills the process at once, or at its next commit. */
  crash(point: CrashPoint, downMs: number): void {
    this.#planned = { point, downMs }
    this.#dieAt('now')
  }

  #dieAt(point: CrashPoint): boolean {
    const planned = this.#planned
    if (planned?.point !== point) return false
    this.#planned = undefined
    this.#die()
    this.#options.onCrash(point, planned.downMs)
    return true
  }

  #die(): void {
    const running = this.#process
    if (!running) return
    this.#process = undefined
    this.#options.clock.end(running.owner)
    this.#options.log('server killed')
    if (this.database.connection.isTransaction) this.database.connection.exec('ROLLBACK')
    for (const socket of [...running.sockets]) socket.destroy()
  }

  /** Its timers wait until it is resumed. */
  pause(): void {
    if (this.#process) this.#process.owner.state = 'frozen'
  }

  resume(): void {
    if (this.#process) this.#options.clock.thaw(this.#process.owner)
  }

  cancelCrash(): void {
    this.#planned = undefined
  }

  close(): void {
    this.#die()
    this.database.close()
  }
}
