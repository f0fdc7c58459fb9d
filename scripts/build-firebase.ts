import { join } from 'node:path'
import { build } from 'vite'
import { printStatus, root } from './terminal.ts'

/** Builds the page for Firebase, static files for any host, into `dist-firebase/` or another folder. */
export async function buildForFirebase(env: Record<string, string> = {}, outDir?: string): Promise<void> {
  Object.assign(process.env, env, { VITE_BACKEND: 'firebase' })
  await build({
    root: join(root, 'web'),
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
    ...(outDir ? { build: { outDir } } : {}),
  })
}

if (import.meta.main) {
  await buildForFirebase().catch((error) => {
    printStatus(error.message)
    process.exit(1)
  })
  printStatus('dist-firebase/ is ready for a static host; docs/firebase.md explains how to publish it.')
}
