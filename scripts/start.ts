import { buildPage } from './build.ts'

await buildPage()
// In the same process, so that signals and the exit code are the server's own.
await import('../server/main.ts')
