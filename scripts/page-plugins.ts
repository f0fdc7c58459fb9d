import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build, type Plugin, type Rolldown } from 'vite'
import { paths } from '../contract/protocol.ts'
import { catalogs, listCatalogs } from './catalogs.ts'
import { root } from './terminal.ts'

/**
 * Puts scripts of web/inline/ into the page itself, because loading them would delay the first paint. The CSP allows them by
 * their hashes: server/http/static-files.ts reads them from the page, and firebase.json contains that of first-paint.js.
 */
export function inlineScripts(...names: string[]): Plugin {
  const elements = names.map((name) => `<script>\n${readInlineScript(name)}</script>`)
  return {
    name: 'inline-scripts',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) => html.replace('<!-- inline scripts -->', () => elements.join('\n')),
    },
  }
}

/**
 * Puts the outline of the first screen and its style sheet into the page, and loads the page's own style sheet behind it, so that
 * the browser paints when it has the page. The CSP allows the style by its hash, as it does the scripts.
 */
export const inlineShell: Plugin = {
  name: 'inline-shell',
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      const [link = ''] = /<link rel="stylesheet"[^>]*>/.exec(html) ?? []
      return html
        .replace(link && `${link}\n`, '')
        .replace('<!-- inline styles -->', () => `<style>${readInlineStyle()}</style>`)
        .replace('<!-- shell --></div>', () => `${readInlineFile('shell.html').trim()}</div>\n    ${link}`)
    },
  },
}

const readInlineFile = (name: string) => readFileSync(join(root, 'web/inline', name), 'utf8')

/** The style sheet of the shell as it stands in the page, without comments. */
export const readInlineStyle = () => readInlineFile('shell.css').replace(/\/\*.*?\*\/\s*/gs, '')

/** The script as it stands in the page, without comments. */
export function readInlineScript(name: string): string {
  return readInlineFile(name)
    .replace(/^\s*\/\/.*\n/gm, '')
    .replace('__LIST_PATH__', JSON.stringify(paths.books))
}

/**
 * Lets the build drop the components of React Router that the page does not use, 4 KB (gzip): their names for debugging and the
 * calls that create them seem to have side effects.
 */
export const treeShakeRouter: Plugin = {
  name: 'tree-shake-router',
  apply: 'build',
  transform: {
    filter: { id: /node_modules\/react-router\// },
    handler: (code) => ({
      code: code
        .replaceAll(/^\w+\.displayName = .*$/gm, '')
        .replaceAll(/= (?=[\w$]+\.(forwardRef|createContext|memo)\()/g, '= /* @__PURE__ */ '),
      map: null,
    }),
  },
}

/**
 * Loads a chunk by nothing but `import()`. What Vite puts around it preloads the chunks and the style sheets that a chunk needs, of
 * which this page has none, and takes 1 KB (gzip).
 */
export const plainDynamicImports: Plugin = {
  name: 'plain-dynamic-imports',
  apply: 'build',
  enforce: 'pre',
  load: {
    filter: { id: /vite\/preload-helper/ },
    handler: () => 'export const __vitePreload = (load) => load()',
  },
}

/**
 * Writes the name of a class where it is used, instead of an object with the names of a whole sheet, which takes 1 KB (gzip) of a
 * first visit: Rolldown inlines the exports of a namespace. A class that its sheet does not have fails the build.
 */
export const inlineClassNames: Plugin[] = [
  {
    name: 'inline-class-names',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { code: /\.module\.css'/ },
      handler: (code) => ({
        code: code.replaceAll(/^import (\w+) from (?='[^']+\.module\.css'$)/gm, 'import * as $1 from '),
        map: null,
      }),
    },
    onLog(_level, log) {
      if (log.code === 'IMPORT_IS_UNDEFINED') this.error(log)
    },
  },
  {
    name: 'keep-style-sheets',
    apply: 'build',
    enforce: 'post',
    transform: {
      filter: { id: /\.module\.css$/ },
      // Vite drops the sheet of a module without code.
      handler: () => ({ moduleSideEffects: 'no-treeshake' }),
    },
  },
]

/**
 * Bundles the viewer of emergency files when `viewer.html?raw` is imported. The build also has it as `emergency.html`, from which
 * the operator's command makes files.
 */
export const emergencyViewer: Plugin = {
  name: 'emergency-viewer',
  enforce: 'pre',
  async load(id) {
    if (!id.endsWith('/web/emergency/viewer.html?raw')) return
    const source = await buildEmergencyViewer()
    if (this.environment.mode === 'build')
      this.emitFile({ type: 'asset', fileName: 'emergency.html', source })
    return `export default ${JSON.stringify(source)}`
  },
}

/** Builds the viewer as one page without records. Its CSP allows only its script, by its hash. */
export async function buildEmergencyViewer(): Promise<string> {
  const folder = join(root, 'web/emergency')
  const rolldownOptions = { input: join(folder, 'viewer.ts'), output: { codeSplitting: false } }
  const options = { write: false, target: 'es2023', modulePreload: { polyfill: false }, rolldownOptions }
  const plugins = [catalogs('web/{emergency,language,lib}/*.ts')]
  const built = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins,
    build: options,
  })
  const script = (built as Rolldown.RolldownOutput).output[0].code.replaceAll('</script', '<\\/script')
  const hash = createHash('sha256').update(script).digest('base64')
  const page = readFileSync(join(folder, 'viewer.html'), 'utf8')
  return page
    .replace('__HASH__', hash)
    .replace('__CATALOGS__', listCatalogs())
    .replace('__SCRIPT__', () => script)
}

/** `listPath`: where the server of the page has the list, if it has one. */
export const serviceWorker = (listPath: string | null): Plugin => ({
  name: 'service-worker',
  apply: 'build',
  writeBundle: ({ dir = '' }) => writeServiceWorker(dir, listPath),
})

/** Icons of the installed page, which the browser stores itself, and what the build adds for the server and its commands. */
const excluded = /\.(png|gz|br)$|^(index\.html|emergency\.html|sw\.js)$/

/**
 * Writes `sw.js` for the page that was built into a folder. It names each file and the hash of all of them, so every build
 * with other content has another worker, which replaces the previous one and its files.
 */
export function writeServiceWorker(folder: string, listPath: string | null = paths.books): void {
  const files = globSync('**/*.*', { cwd: folder })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !file.startsWith('.') && !excluded.test(file))
    .sort()
  const hash = createHash('sha256')
  for (const file of ['index.html', ...files]) hash.update(file).update(readFileSync(join(folder, file)))
  const shell = {
    version: hash.digest('hex').slice(0, 16),
    pageIntegrity: `sha256-${createHash('sha256')
      .update(readFileSync(join(folder, 'index.html')))
      .digest('base64')}`,
    files: files.map((file) => `/${file}`),
  }
  const source = readFileSync(join(root, 'web/service-worker.js'), 'utf8')
  const worker = source
    .replace('= __SHELL__', `= ${JSON.stringify(shell)}`)
    .replace('__LIST_PATH__', JSON.stringify(listPath))
  writeFileSync(join(folder, 'sw.js'), worker)
}

const styleSheets = new Map<string, string>()

/** The name of a class in the page: by sheet, which compresses better than a hash. */
export function nameClass(name: string, path: string): string {
  const sheet = basename(path, '.module.css')
  const first = styleSheets.get(sheet) ?? path
  if (first !== path) throw new Error(`${first} and ${path} have the same name, so their classes would mix.`)
  styleSheets.set(sheet, path)
  return `${sheet}_${name}`
}
