import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Starts a program of `emulators/`. It sends its port when it is ready, and exits with this process. */
export async function forkEmulator(program: string, args: string[]) {
  const child = fork(fileURLToPath(new URL(`emulators/${program}`, import.meta.url)), args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`${program} exited with ${code} before it was ready.`)
  })
  const [port] = (await Promise.race([once(child, 'message'), exited])) as [number]
  exited.catch(() => {})
  return {
    port,
    async stop() {
      if (child.connected) child.disconnect()
      await exited.catch(() => {})
    },
  }
}
