import compile from 'icu-minify/compile'
import {
  type Catalog,
  headerKinds,
  type Language,
  readCatalogs,
  readLanguages,
  readTexts,
} from '../catalogs.ts'

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

/**
 * Finds texts that a catalog lacks or has needlessly, translations with other placeholders or too few plural forms, copies of
 * another language, and what the file does not say of its language.
 */
export function findCatalogProblems(
  texts = readTexts(),
  catalogs = readCatalogs(),
  languages = readLanguages(),
): string[] {
  const problems = Object.entries(catalogs).flatMap(([tag, catalog]) =>
    [
      ...findLanguageProblems(tag, languages[tag]),
      ...findProblems(texts, catalog, tag, languages[tag]?.isPartial ?? false),
      ...findCopies(tag, catalog, catalogs),
    ].map((problem) => `web/language/catalogs/${tag}.json: ${problem}`),
  )
  return [...problems, ...findAmbiguousHeaders(languages)]
}

function findLanguageProblems(
  tag: string,
  { name, direction = 'ltr', headers = {} }: Language = { name: '' },
) {
  const problems: string[] = []
  if (new Intl.Locale(tag).toString() !== tag) problems.push(`name the file ${new Intl.Locale(tag)}.json`)
  if (!name) problems.push('write the name of the language, in itself, into "@language"')
  if (!['ltr', 'rtl'].includes(direction)) problems.push('the direction is "ltr" or "rtl"')
  const unknown = Object.keys(headers).filter((kind) => !(headerKinds as readonly string[]).includes(kind))
  return [
    ...problems,
    ...unknown.map((kind) => `no column contains "${kind}"; headers are of ${headerKinds.join(', ')}`),
  ]
}

/** The same header must not mean one column in one language and another one in the next. */
function findAmbiguousHeaders(languages: Record<string, Language>): string[] {
  const kinds = new Map<string, Set<string>>()
  for (const { headers = {} } of Object.values(languages)) {
    for (const [kind, names] of Object.entries(headers)) {
      for (const name of names) {
        const key = toLetters(name)
        kinds.set(key, (kinds.get(key) ?? new Set()).add(kind))
      }
    }
  }
  return [...kinds]
    .filter(([, found]) => found.size > 1)
    .map(([name, found]) => `web/language/catalogs: the header "${name}" means ${[...found].join(' and ')}`)
}

function findProblems(texts: string[], catalog: Catalog, tag: string, isPartial: boolean): string[] {
  const categories = findCategories(tag)
  const unused = Object.keys(catalog).filter((text) => !texts.includes(text))
  return [
    ...unused.map((text) => `remove ${JSON.stringify(text)}, which the page no longer has`),
    ...texts.flatMap((text) => {
      const translation = catalog[text]
      const name = JSON.stringify(text)
      if (!translation) return isPartial && translation === undefined ? [] : [`translate ${name}`]
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

/** Shorter texts may be equal by right: names, units, words that one language has from the other. */
const minLetters = 20

/** How alike two translations are at most, from 0 to 1, and how many of a catalog are more alike than that at most. */
const copyLimits = { likeness: 0.8, share: 1 / 4 }

/**
 * Finds translations that are English, and catalogs that were copied from another language's, also if words were replaced in
 * them. The measure is the share of letter pairs that two texts have in common: Spanish and Portuguese have half of them, and
 * one text in twenty is as alike as a copy. Varieties of one language are not compared.
 */
function findCopies(tag: string, catalog: Catalog, catalogs: Record<string, Catalog>): string[] {
  const long = Object.keys(catalog).filter((text) => readLetters(text).length >= minLetters)
  const english = long
    .filter((text) => readLetters(text) === readLetters(catalog[text] ?? ''))
    .map((text) => `translate ${JSON.stringify(text)}, or leave it out of a partial catalog: it is English`)
  const copied = Object.entries(catalogs).flatMap(([other, texts]) => {
    if (new Intl.Locale(other).language === new Intl.Locale(tag).language) return []
    const common = long.filter((text) => texts[text])
    const alike = common.filter(
      (text) => measureLikeness(catalog[text] ?? '', texts[text] ?? '') > copyLimits.likeness,
    )
    // A few texts say nothing of a catalog that has no more.
    if (alike.length <= Math.max(2, common.length * copyLimits.share)) return []
    const first = alike.slice(0, 3).map((text) => JSON.stringify(text))
    return [
      `${alike.length} of ${common.length} longer texts are like those of ${other}.json; translate the copy, such as ${first.join(', ')}`,
    ]
  })
  return [...english, ...copied]
}

const toLetters = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}]/gu, '')

/** The letters of a text, in all its branches, without placeholders. */
const readLetters = (text: string): string => toLetters(collectWords(compile(text)))

function collectWords(nodes: unknown): string {
  if (typeof nodes === 'string') return nodes
  const words = (Array.isArray(nodes) ? nodes : []).flatMap((node) => {
    if (!Array.isArray(node)) return typeof node === 'string' ? [node] : []
    const [, ...parts] = node
    return parts.flatMap((part) =>
      Array.isArray(part) || typeof part === 'string'
        ? [collectWords([part])]
        : Object.values(Object(part)).map(collectWords),
    )
  })
  return words.join(' ')
}

/** The share of pairs of adjacent letters that two texts have in common. */
function measureLikeness(a: string, b: string): number {
  const [first, second] = [listPairs(a), listPairs(b)]
  const rest = [...second]
  const common = first.filter((pair) => {
    const index = rest.indexOf(pair)
    if (index >= 0) rest.splice(index, 1)
    return index >= 0
  })
  return (2 * common.length) / (first.length + second.length || 1)
}

function listPairs(text: string): string[] {
  const letters = readLetters(text)
  return Array.from({ length: Math.max(0, letters.length - 1) }, (_, index) =>
    letters.slice(index, index + 2),
  )
}
