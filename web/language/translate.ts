import format, { type CompiledMessage, type FormatValues } from 'icu-minify/format'

/** Null stands for a text that is not translated yet. */
type CompiledCatalog = readonly (CompiledMessage | null)[]

/** English needs none: it stands in the code. */
const catalogs = import.meta.glob<CompiledCatalog>('./catalogs/*.json', { import: 'default' })

/** An English text of the page, in ICU message format. scripts/catalogs.ts replaces it by a message. */
type Text = Exclude<
  keyof typeof import('./catalogs/de.json', { with: { 'resolution-mode': 'import' }}),
  '@language'
>

/** A text that `t` translates later: a constant of a module, or what a worker sends. */
export type Message = readonly [index: number, english: CompiledMessage]

type Values = FormatValues<string>

/** Null for English; undefined before a catalog is used. */
let catalog: CompiledCatalog | null | undefined

/** The tag of the page's language, which web/inline/first-paint.js has chosen. */
export const currentLanguage = () => globalThis.document?.documentElement.lang || 'en'

/** Makes `t` use a compiled catalog. What it has translated before stays as it is. */
export function setCatalog(compiled: typeof catalog): void {
  catalog = compiled
}

/** Loads the catalog of the page's language. Without it, the page is in English. */
export async function loadCatalog(): Promise<void> {
  try {
    setCatalog((await catalogs[`./catalogs/${currentLanguage()}.json`]?.()) ?? null)
  } catch (error) {
    console.error('The catalog was not loaded:', error)
    Object.assign(document.documentElement, { lang: 'en', dir: 'ltr' })
    setCatalog(null)
  }
}

/** Returns a text in the language of the page, or in English if its catalog lacks it, with its values. */
export function t(text: Text | Message, values?: Values): string {
  if (import.meta.env.DEV && globalThis.document && catalog === undefined)
    throw new Error('`t` was called before the catalog was loaded. Use `msg` in a constant of a module.')
  const [index, english] = msg(text)
  const translation = catalog?.[index]
  const language = translation ? currentLanguage() : 'en'
  return format(translation ?? english, language, values, { formatters }) as string
}

/** Marks a text for the catalogs, and leaves it to `t`. */
export const msg = (text: Text | Message): Message => (typeof text === 'string' ? [-1, text] : text)

/**
 * Marks a text that the page shows in other languages only. English has it elsewhere, so the English text is not loaded: `t`
 * returns an empty text if the catalog lacks it.
 */
export const translationOf = msg

/** Those of `fieldRules`. scripts/catalogs.ts defines them. */
declare const __LABELS__: readonly Message[]

const labels = __LABELS__

/** Translates a label of `fieldRules`, which links and emergency files contain too. Returns any other as it is. */
export function translateLabel(label: string): string {
  const message = labels.find(([, english]) => english === label)
  return message ? t(message) : label
}

/** The language of the page as the browser prefers it, such as `de-AT`, with the digits that the texts have. */
export function currentLocale(): string {
  const language = currentLanguage()
  const [primary = ''] = language.split('-')
  const preferred = navigator.languages.find((tag) => tag.split('-')[0] === primary) ?? language
  // Not by `Intl.Locale`, which takes 15 ms before the first rows.
  return `${preferred.split('-u-')[0]}-u-nu-latn`
}

/** Formats a count of something. */
export const formatNumber = (count: number): string => formatters.getNumberFormat().format(count)

const created = new Map<string, Intl.NumberFormat | Intl.PluralRules>()

/** Creating a formatter takes 50 µs, formatting 1. */
function keep<Formatter extends Intl.NumberFormat | Intl.PluralRules>(key: string, create: () => Formatter) {
  const formatter = (created.get(key) as Formatter | undefined) ?? create()
  created.set(key, formatter)
  return formatter
}

const formatters = {
  getNumberFormat: () => keep('number', () => new Intl.NumberFormat(currentLocale())),
  getPluralRules: (locale: string) => keep(locale, () => new Intl.PluralRules(locale)),
  getDateTimeFormat: () => new Intl.DateTimeFormat(currentLocale()),
}
