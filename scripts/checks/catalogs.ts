import compile from 'icu-minify/compile'
import { type Catalog, readCatalogs, readTexts } from '../catalogs.ts'

/** The kinds of icu-minify's nodes that have options: selects, plurals and ordinals. */
const optionKinds: unknown[] = [1, 2, 3]
const pluralKind = 2

interface Placeholders {
  /** With `<` before those of tags. */
  names: Set<string>
  /** The categories of each plural, such as `one` and `other`. */
  plurals: string[][]
}

/**
 * Collects the placeholders and tags of a compiled text, in all its branches. Nodes are texts, 0 for #, `[name]`,
 * `[name, kind, options]` and `[tag, ...nodes]`.
 */
function collect(nodes: unknown, found: Placeholders): Placeholders {
  for (const node of Array.isArray(nodes) ? nodes : []) {
    if (!Array.isArray(node)) continue
    const [name, ...rest] = node
    const isTag = rest.length > 0 && !(rest[0] > 0)
    found.names.add(isTag ? `<${name}` : name)
    if (isTag) collect(rest, found)
    if (rest[0] === pluralKind) found.plurals.push(Object.keys(rest[1]))
    if (optionKinds.includes(rest[0])) for (const option of Object.values(rest[1])) collect(option, found)
  }
  return found
}

const readPlaceholders = (text: string) => collect(compile(text), { names: new Set(), plurals: [] })

/** The categories of all numbers that the page shows. Some languages have one more for millions. */
function findCategories(language: string): string[] {
  const rules = new Intl.PluralRules(language)
  return [...new Set(Array.from({ length: 1_000 }, (_, count) => rules.select(count)))]
}

/** Finds texts that a catalog lacks or has needlessly, and translations with other placeholders or too few plural forms. */
export function findCatalogProblems(texts = readTexts(), catalogs = readCatalogs()): string[] {
  return Object.entries(catalogs).flatMap(([language, catalog]) =>
    findProblems(texts, catalog, findCategories(language)).map(
      (problem) => `web/language/catalogs/${language}.json: ${problem}`,
    ),
  )
}

function findProblems(texts: string[], catalog: Catalog, categories: string[]): string[] {
  const unused = Object.keys(catalog).filter((text) => !texts.includes(text))
  return [
    ...unused.map((text) => `remove ${JSON.stringify(text)}, which the page no longer has`),
    ...texts.flatMap((text) => {
      const translation = catalog[text]
      const name = JSON.stringify(text)
      if (!translation) return `translate ${name}`
      const [english, other] = [readPlaceholders(text), readPlaceholders(translation)]
      const missing = [...english.names].filter((name) => !other.names.has(name))
      const unknown = [...other.names].filter((name) => !english.names.has(name))
      const forms = other.plurals.flatMap((plural) => categories.filter((form) => !plural.includes(form)))
      return [
        ...missing.map((placeholder) => `use {${placeholder}} in the translation of ${name}`),
        ...unknown.map((placeholder) => `${name} has no {${placeholder}}`),
        ...forms.map((form) => `add the plural form "${form}" to the translation of ${name}`),
      ]
    }),
  ]
}
