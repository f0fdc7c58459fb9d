import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** Keeps one process running, and never a second one: each restart waits for its turn, and for the end of the one before. */
export function keepRunning(start: () => ChildProcess) {
  let running = start()
  let turn = Promise.resolve()
  const inTurn = (work: () => Promise<void>) => {
    turn = turn.then(work)
    return turn
  }
  return {
    restart: () =>
      inTurn(async () => {
        await stop(running)
        running = start()
      }),
    stop: () => inTurn(() => stop(running)),
  }
}

async function stop(running: ChildProcess) {
  if (running.exitCode !== null || running.signalCode !== null) return
  const gone = once(running, 'exit')
  running.kill('SIGTERM')
  await gone
}
