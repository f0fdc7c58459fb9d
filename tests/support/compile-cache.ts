import { fileURLToPath } from 'node:url'

// Servers, commands and threads that tests start load their modules in a quarter of the time. Set before they are started.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
  new URL('../../node_modules/.cache/compiled', import.meta.url),
)
