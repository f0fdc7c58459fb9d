import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'

const remover = fileURLToPath(new URL('remover.ts', import.meta.url))

/**
 * Removes these files and folders when the result is disposed, or this process ends before that, by whatever signal. What writes a
 * copy of the database does not return to the event loop, so that no handler of a signal could do it: a child does, whose input ends
 * with this process.
 */
export function removeAtEnd(...paths: string[]): Disposable {
  const child = spawn(process.execPath, [remover, ...paths], {
    // Ctrl-C signals the whole group.
    detached: true,
    windowsHide: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // Without it, the rest works.
  child.on('error', () => {})
  child.stdin.on('error', () => {})
  child.unref()
  ;(child.stdin as Socket).unref()
  return {
    [Symbol.dispose]() {
      // Others may use the names again.
      child.kill('SIGKILL')
      for (const path of paths) rmSync(path, { recursive: true, force: true })
    },
  }
}
