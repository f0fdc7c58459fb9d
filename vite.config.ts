import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig, loadEnv } from 'vite'
import { readFirebaseConfig } from './contract/firebase.ts'
import product from './package.json' with { type: 'json' }
import { catalogs } from './scripts/catalogs.ts'
import {
  emergencyViewer,
  inlineScripts,
  inlineShell,
  serviceWorker,
  treeShakeRouter,
} from './scripts/page-plugins.ts'

/** `VITE_BACKEND` selects the file that `#backend` resolves to (package.json, "imports"). The other is not bundled. */
export default defineConfig(({ mode }) => {
  const env = loadEnv(mode, import.meta.dirname, 'VITE_')
  const { VITE_BACKEND: backend = 'self-hosted' } = env
  if (!['self-hosted', 'firebase'].includes(backend)) {
    throw new Error(`VITE_BACKEND is "${backend}"; it must be "self-hosted" or "firebase".`)
  }
  const isFirebase = backend === 'firebase'
  return {
    root: 'web',
    plugins: [
      catalogs(),
      react(),
      inlineShell,
      inlineScripts('first-paint.js', ...(isFirebase ? [] : ['early-list.js'])),
      emergencyViewer,
      treeShakeRouter,
      serviceWorker,
    ],
    resolve: { conditions: [...(isFirebase ? ['firebase'] : []), ...defaultClientConditions] },
    define: {
      __VERSION__: JSON.stringify(product.version),
      ...(isFirebase ? { __FIREBASE_CONFIG__: JSON.stringify(readFirebaseConfig(env)) } : {}),
    },
    worker: { format: 'es', plugins: () => [catalogs()] },
    build: {
      outDir: isFirebase ? '../dist-firebase' : '../dist',
      emptyOutDir: true,
      target: 'es2023',
      license: true,
      sourcemap: false,
      // Parts are loaded while the page is idle. The code that preloads what they import costs 1 KB.
      modulePreload: false,
      cssCodeSplit: false,
      // Two chunks, each with its dependencies. A further chunk costs a request, delays /form by a round trip, and compresses
      // worse.
      rolldownOptions: {
        treeshake: { propertyReadSideEffects: false },
        // Where the time went says nothing to who starts the server.
        checks: { bundlerTimings: false },
        output: {
          codeSplitting: {
            groups: [
              { name: 'initial', tags: ['$initial'], priority: 1 },
              { name: 'records-page', test: /records-page\.tsx$/ },
            ],
          },
        },
      },
    },
  }
})
