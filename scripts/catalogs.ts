import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import compile from 'icu-minify/compile'
import type { Plugin, Rolldown } from 'vite'
import type { VitestPluginContext } from 'vitest/node'
import { root } from './terminal.ts'

/** The translations of the page's English texts into one language. */
export type Catalog = Record<string, string>

/** A call of a function of web/language/translate.ts with its text. */
const textCall =
  /(?<![\w.$])(t|msg|translationOf)\(\s*('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\$]|\\.)*`)/g

const unquote = (literal: string) => literal.slice(1, -1).replaceAll(/\\(.)/gs, '$1')

/** Returns the texts of a module, in their order. */
const findTexts = (code: string): string[] =>
  [...code.matchAll(textCall)].map(([, , literal = '']) => unquote(literal))

/** Reads all texts of the page, or of some of its files, each once. Their order is that of the compiled catalogs. */
export function readTexts(pattern = 'web/**/*.{ts,tsx}'): string[] {
  const files = globSync(pattern, { cwd: root, exclude: ['**/node_modules', '**/*.test.ts'] })
  return [...new Set(files.sort().flatMap((file) => findTexts(readFileSync(join(root, file), 'utf8'))))]
}

const catalogFiles = () => globSync('web/language/catalogs/*.json', { cwd: root }).sort()

/** Reads all catalogs, by the tags of their languages. */
export const readCatalogs = (): Record<string, Catalog> =>
  Object.fromEntries(
    catalogFiles().map((file) => [
      basename(file, '.json'),
      JSON.parse(readFileSync(join(root, file), 'utf8')),
    ]),
  )

/**
 * Compiles the texts of the page and its catalogs. A call gets the English text and its index, `t([7, 'Sign in'])`; a catalog
 * becomes a module with one array, so that no key is loaded. `pattern` names the files of a page that has fewer texts.
 */
export function catalogs(pattern?: string): Plugin {
  const texts = readTexts(pattern)
  const indices = new Map(texts.map((text, index) => [text, index]))
  return {
    name: 'catalogs',
    enforce: 'pre',
    // Vitest keeps transformed modules for later runs. These depend on the texts of all others.
    configureVitest: ({ defineCacheKeyGenerator }: VitestPluginContext) =>
      defineCacheKeyGenerator(() => JSON.stringify([texts, readCatalogs()])),
    resolveId: (id) => {
      const [, language] = /^\.\/catalogs\/([\w-]+)\.json$/.exec(id) ?? []
      return language && `\0catalogs/${language}.js`
    },
    load(id) {
      const [, language] = /^\0catalogs\/([\w-]+)\.js$/.exec(id) ?? []
      if (!language) return
      const file = join(root, `web/language/catalogs/${language}.json`)
      this.addWatchFile(file)
      const catalog = readCatalogs()[language] ?? {}
      const compiled = texts.map((text) => compile(catalog[text] ?? text))
      return `export default ${JSON.stringify(compiled)}`
    },
    transform: {
      filter: { id: /\/web\/.*\.tsx?$/, code: /\b(t|msg|translationOf)\(/ },
      handler: (code) => ({
        code: code.replaceAll(textCall, (_, name, literal) => {
          const text = unquote(literal)
          const english = name === 'translationOf' ? '' : compile(text)
          return `${name}(${JSON.stringify([indices.get(text) ?? -1, english])}`
        }),
        map: null,
      }),
    },
    writeBundle({ dir = '' }) {
      const file = join(dir, 'manifest.webmanifest')
      if (existsSync(file)) writeFileSync(file, translateManifest(readFileSync(file, 'utf8')))
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) => html.replace('__CATALOGS__', listCatalogs(bundle)),
    },
  }
}

/** Adds the translations of the description, which is a text of the page, as the standard has them. */
function translateManifest(json: string): string {
  const manifest = JSON.parse(json)
  const translations = Object.entries(readCatalogs()).map(([tag, catalog]) => [
    tag,
    catalog[manifest.description],
  ])
  return JSON.stringify({ ...manifest, description_localized: Object.fromEntries(translations) })
}

/** Lists the languages for web/inline/first-paint.js, with the paths of their catalogs unless the page contains them. */
export function listCatalogs(bundle: Rolldown.OutputBundle = {}): string {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  return Object.keys(readCatalogs())
    .map((language) => {
      const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId === `\0catalogs/${language}.js`)
      return `${language} ${chunk ? `/${chunk.fileName}` : ''}`
    })
    .join(',')
}
