import { join } from 'node:path'
import { build } from 'vite'
import { root, say } from './terminal.ts'

/** Builds the page for Firebase into `dist-firebase/`, or into another folder: static files for any host. */
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
    say(error.message)
    process.exit(1)
  })
  say('dist-firebase/ is ready for a static host; docs/firebase.md says how to publish it.')
}
