import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import type { VitestPluginContext } from 'vitest/node'
import { bundle } from '../../simulation/engine/bundle.ts'

const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const client = pathOf('../../../server/storage/sqlite/writer/client.ts')
const original = "import { Worker } from 'node:worker_threads'"

/**
 * Lets the storages of a process open one after the other in the same writer threads. To start a thread and load its modules for
 * each took a third of the processor time of the tests beside the code.
 */
export const reuseThreads: Plugin = {
  name: 'reuse-threads',
  enforce: 'pre',
  // Vitest keeps transformed modules for later runs. This one contains the script, which depends on others.
  configureVitest: ({ defineCacheKeyGenerator }: VitestPluginContext) =>
    defineCacheKeyGenerator(({ id }) => (id === client ? false : undefined)),
  async transform(code, id) {
    if (id !== client) return null
    if (!code.includes(original)) throw new Error(`${client} no longer has: ${original}`)
    const script = await bundle(pathOf('../../../server/storage/sqlite/writer/thread.ts'), 'server')
    const replacement = [
      `import { createReusedWorker } from ${JSON.stringify(pathOf('reused-worker.ts'))}`,
      `const Worker = createReusedWorker(${JSON.stringify(script)})`,
    ]
    return code.replace(original, () => replacement.join(';'))
  },
}
