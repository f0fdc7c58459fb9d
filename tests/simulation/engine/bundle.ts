import { pathToFileURL } from 'node:url'
import { build, type Plugin, type Rolldown } from 'vite'
import { catalogs } from '../../../scripts/catalogs.ts'
import { root } from '../../../scripts/terminal.ts'

/** A text of a module that is replaced. `file`: the end of its path. */
export interface Replacement {
  file: string
  from: string
  to: string
}

/** The modules of React, which only components use. */
const unusedModules = /^(react|react\/.*|react-dom.*|react-redux|react-router)$/

/** Replaces what a script without modules can't have, and leaves out what the simulated pages never run. */
const adapt = (isPage: boolean): Plugin => ({
  name: 'simulation',
  enforce: 'pre',
  resolveId: (id) => (isPage && unusedModules.test(id) ? '\0unused' : null),
  load: (id) =>
    id === '\0unused'
      ? `const unused = () => {}; unused.withTypes = () => unused
         export { unused as useEffect, unused as useState, unused as useSyncExternalStore, unused as useDispatch,
           unused as useSelector, unused as useStore, unused as useLocation, unused as Navigate, unused as jsx, unused as jsxs, unused as jsxDEV, unused as Fragment }`
      : null,
  transform: (code, id) =>
    code
      .replace(/import\.meta\.glob<Catalog>\([^)]*\)/, '{}')
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id.split('?')[0] ?? id).href)),
})

const mutate = (replacements: readonly Replacement[]): Plugin => ({
  name: 'mutation',
  enforce: 'pre',
  transform: (code, id) =>
    replacements
      .filter(({ file }) => id.endsWith(file))
      .reduce((code, { file, from, to }) => {
        if (!code.includes(from)) throw new Error(`${file} has no ${from}`)
        return code.replace(from, () => to)
      }, code),
})

/**
 * Bundles an entry into one script. `side`: of the page everything is bundled, of the server its own modules only. `mutation`: what is
 * replaced in them.
 */
export async function bundle(
  entry: string,
  side: 'page' | 'server',
  mutation: readonly Replacement[] = [],
): Promise<string> {
  const isPage = side === 'page'
  const output = await build({
    root,
    configFile: false,
    logLevel: 'error',
    // As in the built page, also where a test runs it.
    define: { 'import.meta.env.DEV': 'false' },
    plugins: [mutate(mutation), adapt(isPage), isPage && catalogs()],
    ...(isPage ? {} : { ssr: { target: 'node' as const } }),
    build: {
      write: false,
      minify: false,
      target: 'esnext',
      ...(isPage ? { lib: { entry, formats: ['cjs'] } } : { ssr: entry }),
      rolldownOptions: {
        output: { format: 'cjs', codeSplitting: false, exports: 'named' },
        ...(isPage ? {} : { external: /^(node:|[a-z@])/ }),
        onwarn: () => {},
      },
    },
  })
  const [result] = [output].flat() as Rolldown.RolldownOutput[]
  return result?.output[0].code ?? ''
}
