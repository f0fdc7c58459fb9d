import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import compile from 'icu-minify/compile'
import type { Plugin, Rolldown } from 'vite'
import type { VitestPluginContext } from 'vitest/node'
import { type FieldName, fieldNames, fieldRules, mapFields } from '../contract/employees.ts'
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

const labels = fieldNames.map((name) => fieldRules[name].label)

/**
 * Reads the labels of the fields and all texts of the page, or of some of its files, each once. Their order is that of the compiled
 * catalogs.
 */
export function readTexts(pattern = 'web/**/*.{ts,tsx}'): string[] {
  const files = globSync(pattern, { cwd: root, exclude: ['**/node_modules', '**/*.test.ts'] })
  const texts = files.sort().flatMap((file) => findTexts(readFileSync(join(root, file), 'utf8')))
  return [...new Set([...labels, ...texts])]
}

/** What the file of a language says of it, under `@language`. */
export interface Language {
  /** In itself, as people choose it. */
  name: string
  /** Default: `ltr`. */
  direction?: 'ltr' | 'rtl'
  /** Whether texts may be missing, which the page then shows in English. */
  isPartial?: boolean
  /** The headers of a list that an import knows besides the labels of the form, by what their column contains. */
  headers?: Partial<Record<HeaderKind, string[]>>
}

/** What a column of a list contains: a field, or what web/records/features/import/source/detect-columns.ts makes one of. */
export const headerKinds = [
  ...fieldNames,
  'name',
  'firstName',
  'lastName',
  'reversedName',
  'username',
] as const
type HeaderKind = (typeof headerKinds)[number]

const folder = 'web/language/catalogs'

type LanguageFile = { '@language'?: Language } & Record<string, unknown>

const readFile = (tag: string): LanguageFile =>
  JSON.parse(readFileSync(join(root, folder, `${tag}.json`), 'utf8'))

const languageOf = (file: LanguageFile): Language => file['@language'] ?? { name: '' }

const textsOf = ({ '@language': _, ...texts }: LanguageFile) => texts as Catalog

/** Reads the files of all languages, by their tags. */
function readFiles<Result>(convert: (file: LanguageFile) => Result): Record<string, Result> {
  const tags = globSync(`${folder}/*.json`, { cwd: root }).map((file) => basename(file, '.json'))
  return Object.fromEntries(tags.sort().map((tag) => [tag, convert(readFile(tag))]))
}

/** Reads all catalogs, by the tags of their languages. */
export const readCatalogs = () => readFiles(textsOf)

export const readLanguages = () => readFiles(languageOf)

/** What can be imported of the file of a language: its texts, compiled, or what an import with this query asks for. */
function readModule(tag: string, query: string, texts: readonly string[]): unknown {
  const file = readFile(tag)
  const { name, headers } = languageOf(file)
  const catalog = textsOf(file)
  if (query === 'name') return name
  if (query === 'headers') {
    const labelled = (field: FieldName) =>
      [catalog[fieldRules[field].label] ?? [], headers?.[field] ?? []].flat()
    return { ...headers, ...mapFields(labelled) }
  }
  return texts.map((text) => (catalog[text] ? compile(catalog[text]) : null))
}

/**
 * Compiles the texts of the page and its catalogs. A call gets the English text and its index, `t([7, 'Sign in'])`; a catalog
 * becomes a module with one array, so that no key is loaded. `pattern` names the files of a page that has fewer texts.
 */
export function catalogs(pattern?: string): Plugin {
  const texts = readTexts(pattern)
  const indices = new Map(texts.map((text, index) => [text, index]))
  const toMessage = (text: string, english = compile(text)) =>
    JSON.stringify([indices.get(text) ?? -1, english])
  return {
    name: 'catalogs',
    enforce: 'pre',
    // Vitest keeps transformed modules for later runs. These depend on the texts of all others.
    configureVitest: ({ defineCacheKeyGenerator }: VitestPluginContext) =>
      defineCacheKeyGenerator(() => JSON.stringify([texts, readCatalogs(), readLanguages()])),
    resolveId: (id) => {
      const [, tag, query = 'texts'] = /^\.\/catalogs\/([\w-]+)\.json(?:\?(\w+))?$/.exec(id) ?? []
      return tag && `\0catalogs/${query}/${tag}.js`
    },
    load(id) {
      const [, query, tag] = /^\0catalogs\/(\w+)\/([\w-]+)\.js$/.exec(id) ?? []
      if (!query || !tag) return
      this.addWatchFile(join(root, folder, `${tag}.json`))
      return `export default ${JSON.stringify(readModule(tag, query, texts))}`
    },
    transform: {
      filter: { id: /\/web\/.*\.tsx?$/, code: /\b(t|msg|translationOf)\(/ },
      handler: (code) => ({
        code: code
          .replaceAll(textCall, (_, name, literal) => {
            const text = unquote(literal)
            return `${name}(${name === 'translationOf' ? toMessage(text, '') : toMessage(text)}`
          })
          .replace(/(?<== )__LABELS__/, `[${labels.map((label) => toMessage(label))}]`),
        map: null,
      }),
    },
    writeBundle({ dir = '' }) {
      const file = join(dir, 'manifest.webmanifest')
      if (existsSync(file)) writeFileSync(file, translateManifest(readFileSync(file, 'utf8')))
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) =>
        html.replace('__CATALOGS__', listCatalogs(bundle)).replace('__NOT_LOADED__', listNotLoaded),
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

/** Lists the languages for web/inline/first-paint.js: tag, direction and, unless the page contains it, the path of the catalog. */
export function listCatalogs(bundle: Rolldown.OutputBundle = {}): string {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  return Object.entries(readLanguages())
    .map(([tag, { direction = 'ltr' }]) => {
      const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId === `\0catalogs/texts/${tag}.js`)
      return `${tag} ${direction} ${chunk ? `/${chunk.fileName}` : ''}`
    })
    .join(',')
}

const notLoaded = 'This part of the page didn’t load. Check your connection or reload.'

/** What web/inline/first-paint.js says if the page can't be loaded, by language, as the value of an attribute. */
function listNotLoaded(): string {
  const translations = Object.entries(readCatalogs()).map(([tag, catalog]) => [tag, catalog[notLoaded]])
  return JSON.stringify({ en: notLoaded, ...Object.fromEntries(translations) }).replaceAll('"', '&quot;')
}
