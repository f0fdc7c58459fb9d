import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig, loadEnv, type Plugin } from 'vite'
import { readFirebaseConfig } from './contract/firebase.ts'

/** `VITE_BACKEND` chooses which file `#backend` stands for (package.json, "imports"); the other's code stays out. */
export default defineConfig(({ mode }) => {
  const env = loadEnv(mode, import.meta.dirname, 'VITE_')
  const { VITE_BACKEND: backend = 'self-hosted' } = env
  if (!['self-hosted', 'firebase'].includes(backend)) {
    throw new Error(`VITE_BACKEND is "${backend}"; it may be "self-hosted" or "firebase".`)
  }
  const isFirebase = backend === 'firebase'
  return {
    root: 'web',
    plugins: [react(), partsWithoutHelper(), unusedComponentsLeftOut()],
    resolve: { conditions: [...(isFirebase ? ['firebase'] : []), ...defaultClientConditions] },
    ...(isFirebase ? { define: { __FIREBASE_CONFIG__: JSON.stringify(readFirebaseConfig(env)) } } : {}),
    build: {
      outDir: isFirebase ? '../dist-firebase' : '../dist',
      emptyOutDir: true,
      target: 'es2023',
      sourcemap: false,
      modulePreload: { polyfill: false },
      cssCodeSplit: false,
    },
  }
})

/**
 * Vite loads a part's style sheets and imports ahead of it, by a helper of 0.6 KB. The page has one style sheet, and its
 * parts import next to nothing: `import()` itself will do.
 */
function partsWithoutHelper(): Plugin {
  return {
    name: 'parts-without-helper',
    enforce: 'pre',
    load: (id) =>
      id.endsWith('vite/preload-helper.js') ? 'export const __vitePreload = (load) => load()' : undefined,
  }
}

/**
 * React Router gives its components names by assignment, which a bundler takes for an effect: so `Form` and `NavLink` and
 * what they need, 8 KB, would stay although nobody uses them.
 */
function unusedComponentsLeftOut(): Plugin {
  return {
    name: 'unused-components-left-out',
    transform: {
      filter: { id: /react-router\/dist\// },
      handler: (code) =>
        code
          .replaceAll(/^\w+\.displayName = .*;$/gm, '')
          .replaceAll(/= (React\$1\.(?:forwardRef|memo)\()/g, '= /* @__PURE__ */ $1'),
    },
  }
}
