import { Worker, type WorkerOptions } from 'node:worker_threads'

/** Runs the script of a thread again for each message `{ workerData }`, as if the thread had just started. */
const host = `
const threads = require('node:worker_threads')
const { parentPort, workerData: { script } } = threads
const evaluate = new Function('require', 'exports', script)
const wait = () => parentPort.once('message', ({ workerData }) => {
  let isClosing = false
  const note = (message) => {
    if (message === 'close') isClosing = true
    return message
  }
  const port = {
    postMessage: (message) => parentPort.postMessage(message),
    on: (event, listener) => parentPort.on(event, (message) => listener(note(message))),
    // After a failure the thread ends, as its database is still open.
    close() {
      if (!isClosing) return parentPort.close()
      parentPort.removeAllListeners('message')
      wait()
      parentPort.postMessage('closed')
    },
  }
  const receiveMessageOnPort = () => {
    const received = threads.receiveMessageOnPort(parentPort)
    note(received?.message)
    return received
  }
  const own = { ...threads, parentPort: port, workerData, receiveMessageOnPort }
  evaluate((id) => (id === 'node:worker_threads' ? own : require(id)), {})
})
wait()`

const idle: Worker[] = []
// A test may replace them.
const { postMessage, emit } = Worker.prototype

function start(script: string): Worker {
  const worker = new Worker(host, { eval: true, execArgv: [], workerData: { script } })
  worker.emit = (event: string, ...args: unknown[]) => {
    if (event !== 'message' || args[0] !== 'closed') return emit.call(worker, event, ...args)
    emit.call(worker, 'exit', 0)
    for (const name of ['message', 'error', 'exit']) worker.removeAllListeners(name)
    worker.unref()
    idle.push(worker)
    return true
  }
  return worker
}

/** A class of threads that run this script. One that has closed is used again. */
export function createReusedWorker(script: string) {
  return function ReusedWorker(_url: URL, { workerData }: WorkerOptions): Worker {
    const worker = idle.pop() ?? start(script)
    worker.ref()
    postMessage.call(worker, { workerData })
    return worker
  }
}
