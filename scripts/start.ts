import { buildPage } from './build.ts'

await buildPage()
// In this process, so that Ctrl-C and the exit code are the server's own.
await import('../server/main.ts')
