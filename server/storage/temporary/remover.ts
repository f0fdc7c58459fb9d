import { rmSync } from 'node:fs'
import { text } from 'node:stream/consumers'

// Its parent and it may be signalled together. It ends by itself, right after its parent.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const) process.on(signal, () => {})
await text(process.stdin)
for (const path of process.argv.slice(2)) rmSync(path, { recursive: true, force: true })
