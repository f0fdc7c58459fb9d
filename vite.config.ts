import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig, loadEnv } from 'vite'
import { readFirebaseConfig } from './contract/firebase.ts'
import { paths } from './contract/protocol.ts'
import product from './package.json' with { type: 'json' }
import { catalogs } from './scripts/catalogs.ts'
import { demoPage } from './scripts/demo-page.ts'
import { firstChunks, listScreens } from './scripts/first-chunks.ts'
import {
  emergencyViewer,
  inlineClassNames,
  inlineScripts,
  inlineShell,
  nameClass,
  plainDynamicImports,
  serviceWorker,
  treeShakeRouter,
} from './scripts/page-plugins.ts'

/** Where the page for each backend is built. */
const outDirs: Record<string, string> = {
  'self-hosted': '../dist',
  firebase: '../dist-firebase',
  memory: '../dist-demo',
}

/** `VITE_BACKEND` selects the file that `#backend` resolves to (package.json, "imports"). The others are not bundled. The page for
 * `memory` is the demo, which starts in web/demo/main.tsx. */
export default defineConfig(({ mode }) => {
  const env = loadEnv(mode, import.meta.dirname, 'VITE_')
  const { VITE_BACKEND: backend = 'self-hosted' } = env
  const outDir = outDirs[backend]
  if (!outDir) {
    const known = Object.keys(outDirs).join(', ')
    throw new Error(`VITE_BACKEND is "${backend}"; it must be one of ${known}.`)
  }
  const isFirebase = backend === 'firebase'
  const isDemo = backend === 'memory'
  return {
    root: 'web',
    base: isDemo ? './' : '/',
    plugins: [
      catalogs(),
      react(),
      inlineShell,
      inlineScripts('first-paint.js', ...(backend === 'self-hosted' ? ['early-list.js'] : [])),
      emergencyViewer,
      treeShakeRouter,
      plainDynamicImports,
      inlineClassNames,
      listScreens,
      isDemo ? demoPage : serviceWorker(isFirebase ? null : paths.books),
    ],
    css: { modules: { generateScopedName: nameClass } },
    resolve: { conditions: [...(isFirebase ? ['firebase'] : []), ...defaultClientConditions] },
    define: {
      __VERSION__: JSON.stringify(product.version),
      ...(isFirebase ? { __FIREBASE_CONFIG__: JSON.stringify(readFirebaseConfig(env)) } : {}),
    },
    worker: { format: 'es', plugins: () => [catalogs()] },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2023',
      license: true,
      sourcemap: false,
      // Parts are loaded while the page is idle.
      modulePreload: false,
      cssCodeSplit: false,
      rolldownOptions: {
        treeshake: {
          propertyReadSideEffects: false,
          // They make schemas, which only the server uses. Their annotations alone leave the schemas in the first chunk.
          manualPureFunctions: ['objectOf', 'arrayOf', 'toProperties', 'mapNames'],
        },
        // Also where a text is used more than once: it compresses better than a name for it.
        optimization: { inlineConst: { mode: 'all' } },
        // Where the time went says nothing to who starts the server.
        checks: { bundlerTimings: false },
        output: {
          codeSplitting: { groups: firstChunks },
        },
      },
    },
  }
})
